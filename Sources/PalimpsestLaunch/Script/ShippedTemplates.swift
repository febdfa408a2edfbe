/// Templates of engines that are not called by us: they are printed, and the user hands them over.
///
/// Every worker takes any block, so nothing depends on how many of them run, or in which order. Tasks are counted from 0.
extension ScriptTemplate {
  public static let shipped = [
    "pbs": pbs, "lsf": lsf, "htcondor": htcondor, "gridengine": gridEngine, "parallel": parallel, "shell": shell,
  ]

  /// A worker with its log, where `$task` is its number.
  private static let worker = """
    \(RepeatedWorker.function())
    mkdir -p {{results}}/log/{{launch}}
    again {{program}} worker {{results}} --launch {{launch}} --task "$task" --engine-job "$(uname -n)-$$" --jobs {{cpus}} \\
      >>{{results}}/log/{{launch}}/"$task".log 2>&1
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

  private static let gridEngine = """
    #!/bin/sh
    # Grid Engine: qsub FILE. Not tested. An exit with 99 is begun again; for several processors a task name your site's parallel environment (-pe).
    #$ -S /bin/sh
    #$ -N plmp-{{launch}}
    #$ -t 1-{{tasks}}
    #$ -r y
    #$ -j y
    #$ -o /dev/null
    #$ -l h_rt=0:{{minutes}}:0
    #$ -l mem_free={{memory}}M
    task=$((SGE_TASK_ID - 1))
    \(worker)
    status=$?
    if [ "$status" -eq 75 ]; then exit 99; fi
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
