import PalimpsestRuns

/// Templates of engines that are not called by us: they are printed, and the user hands them over.
///
/// Every worker takes any block, so nothing depends on how many of them run, or in which order. Tasks are counted from 0.
extension ScriptTemplate {
  public static let shipped = [
    "pbs": pbs, "lsf": lsf, "htcondor": htcondor, "gridengine": gridEngine, "parallel": parallel, "shell": shell,
  ]

  /// Where the task `$task` says what it does.
  private static let log = """
    mkdir -p {{results}}/log/{{launch}}
    log={{results}}/log/{{launch}}/"$task".log
    """

  /// - Parameter job: the engine's job, by which the worker knows blocks that its task had in hand before.
  private static func call(_ job: String) -> String {
    """
    again {{program}} worker {{results}} --launch {{launch}} --task "$task" \(job) --jobs {{cpus}} >>"$log" 2>&1
    """
  }

  /// A worker with its log, where `$task` is its number.
  private static let worker = """
    \(RepeatedWorker.function())
    \(log)
    \(call("--engine-job \"$(uname -n)-$$\""))
    """

  private static let parallel = """
    #!/bin/sh
    # GNU parallel: sh FILE. As many tasks at once as this machine has processors.
    # Each task runs the same file.
    if [ "$#" -eq 0 ]; then
      seq 0 {{last}} | parallel -q sh "$0" '{}'
      exit
    fi
    task=$1
    \(worker)

    """

  private static let shell = """
    #!/bin/sh
    # A shell alone: sh FILE. All tasks at once, on this machine.
    for task in $(seq 0 {{last}}); do
      (
    \(worker)
      ) &
    done
    wait

    """

  /// How often Grid Engine has begun a task it does not tell, so the lines of the log are counted.
  private static let gridEngine = """
    #!/bin/sh
    # Grid Engine: qsub FILE. Tested with 8.1.9 (Debian 12), one host. For several processors a task name your site's parallel environment (-pe).
    # A quarter of its time before the end, at most 5 minutes, a worker is told by USR1, and its task is begun again (an exit with 99); so it is
    # where it would be suspended. Before a deletion it is told by USR2.
    #$ -S /bin/sh
    #$ -N plmp-{{launch}}
    #$ -t 1-{{tasks}}
    #$ -r y
    #$ -notify
    #$ -j y
    #$ -o /dev/null
    #$ -l h_rt=0:{{minutes}}:0
    #$ -l mem_free={{memory}}M
    task=$((SGE_TASK_ID - 1))
    \(RepeatedWorker.function())
    \(log)
    restart=$(grep -c "^Grid Engine: job $JOB_ID, " "$log" 2>/dev/null)
    : "${restart:=0}"
    echo "Grid Engine: job $JOB_ID, task $SGE_TASK_ID, on $(uname -n)" >>"$log"
    # No s_rt: 8.1.9 takes it for the hard limit of a task that was begun again.
    left=$(({{minutes}} * 15))
    if [ "$left" -gt 300 ]; then left=300; fi
    (
      trap 'kill -s KILL "$!"; exit' TERM
      sleep "$(({{minutes}} * 60 - left))" &
      wait
      kill -s USR1 0
    ) &
    clock=$!
    \(call("--engine-job \"$JOB_ID\" --restart \"$restart\""))
    status=$?
    kill "$clock" 2>/dev/null
    if [ "$status" -eq 75 ] && [ "$restart" -lt \(WorkerPlace.mostRestarts) ]; then exit 99; fi
    exit "$status"

    """

  private static let pbs = """
    #!/bin/sh
    # PBS Professional and OpenPBS: qsub FILE. Not tested. An array has at least two tasks there; Torque calls -J -t and the index PBS_ARRAYID.
    #PBS -N plmp-{{launch}}
    #PBS -J 1-{{tasks}}
    #PBS -r y
    #PBS -j oe
    #PBS -o /dev/null
    #PBS -l select=1:ncpus={{cpus}}:mem={{memory}}mb
    #PBS -l walltime={{minutes}}:00
    task=$((PBS_ARRAY_INDEX - 1))
    \(worker)

    """

  private static let lsf = """
    #!/bin/sh
    # LSF: bsub < FILE. Not tested. An exit with 75 is begun again.
    #BSUB -J "plmp-{{launch}}[1-{{tasks}}]"
    #BSUB -n {{cpus}}
    #BSUB -R "span[hosts=1] rusage[mem={{memory}}MB]"
    #BSUB -W {{minutes}}
    #BSUB -r
    #BSUB -Q "75"
    #BSUB -o /dev/null
    task=$((LSB_JOBINDEX - 1))
    \(worker)

    """

  private static let htcondor = """
    #!/bin/sh
    # HTCondor: keep this file where the nodes see it, then sh FILE; each task runs the same file. Not tested. An exit with 75 is begun again.
    if [ "$#" -eq 0 ]; then
      exec condor_submit executable="$(realpath "$0")" 'arguments=$(Process)' universe=vanilla getenv=true \\
        should_transfer_files=NO request_cpus={{cpus}} request_memory={{memory}}M \\
        'on_exit_remove=(ExitBySignal == False) && (ExitCode =!= 75)' /dev/null -queue {{tasks}}
    fi
    task=$1
    \(worker)

    """
}
