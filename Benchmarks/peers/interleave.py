"""Runs all peers and `palimpsest bench` side by side: each net's peers take turns, round after round. Prints JSON lines."""

import argparse
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
PEERS = ["numpy_loop", "torch_loop", "torch_bmm", "jax_jit", "jax_vmap"]
NETS = ["tiny", "small", "medium", "large"]


class Peer:
    """A script that waits for its turn, so that it starts and compiles once."""

    def __init__(self, name, rest):
        command = [sys.executable, HERE / f"{name}.py", "--paced", *rest]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines_until("ready")

    def turn(self, net):
        print(net, file=self.process.stdin, flush=True)
        return self.lines_until("done")

    def lines_until(self, end):
        lines = []
        while (line := self.process.stdout.readline().strip()) != end:
            if self.process.poll() is not None:
                sys.exit(f"{self.process.args[1]} ended with status {self.process.returncode}; its message stands above.")
            lines.append(line)
        return lines


class Palimpsest:
    def __init__(self, tool):
        self.tool = tool

    def turn(self, net):
        command = [self.tool, "bench", "--json", "--section", "steps", "--repeats", "1", "--net", net]
        result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if result.returncode:
            sys.exit(f"{self.tool} bench ended with status {result.returncode}; its message stands above.")
        return result.stdout.splitlines()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--palimpsest", help="the built tool; without it the peers run alone")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--peers", default=",".join(PEERS))
    parser.add_argument("--nets", default=",".join(NETS))
    options, rest = parser.parse_known_args()
    parties = [Peer(name, rest + ["--net", options.nets]) for name in options.peers.split(",")]
    if options.palimpsest:
        parties.append(Palimpsest(options.palimpsest))
    for _ in range(options.rounds):
        for net in options.nets.split(","):
            for party in parties:
                for line in party.turn(net):
                    print(line, flush=True)


if __name__ == "__main__":
    main()
