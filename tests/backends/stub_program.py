# The body of the stubs that stub.py installs: standard library only; SETTINGS stands before it.
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import uuid

argv = sys.argv[1:]
program = SETTINGS["program"]  # noqa: F821
folder = pathlib.Path(SETTINGS["folder"])  # noqa: F821
home = pathlib.Path(os.environ.get("HOME", "."))
config_folder = pathlib.Path(os.environ.get("CODEX_HOME", home / ".codex"))


def hold(port):
    """Live as long as someone holds the other end."""
    line = socket.create_connection(("127.0.0.1", int(port)))
    line.sendall(b"here\n")
    line.recv(1)


def names(path):
    return sorted(entry.name for entry in pathlib.Path(path).iterdir())


def after(word):
    return argv[argv.index(word) + 1] if word in argv else None


def system_file():
    if program == "claude":
        return after("--system-prompt-file")
    lines = config().splitlines() + [argv[n + 1] for n, word in enumerate(argv) if word == "-c"]
    found = [line.partition("=")[2] for line in lines if line.startswith("model_instructions_file=")]
    return json.loads(found[0]) if found else None


def config():
    file = config_folder / "config.toml"
    return file.read_text(encoding="utf-8") if file.exists() else ""


def note(given):
    system = system_file()
    seen = {
        "argv": argv,
        "env": dict(os.environ),
        "given": given,
        "work": names("."),
        "cwd": os.getcwd(),
        "home": names(home),
        "system": pathlib.Path(system).read_bytes().decode() if system else None,
        "config": config() if program == "codex" else "",
    }
    number = 0
    while True:
        try:
            with open(folder / "calls" / f"{number}.json", "x", encoding="utf-8") as file:
                json.dump(seen, file)
            return seen["system"]
        except FileExistsError:
            number += 1


def recorded(turn, instead=None):
    file = "-".join("".join(c if c.isalnum() or c == "_" else " " for c in turn).split()) + ".json"
    text = (pathlib.Path(SETTINGS["recorded"]) / file).read_text(encoding="utf-8")  # noqa: F821
    if instead is not None:
        text = text.replace(json.dumps("Hello there."), json.dumps(instead))
    return json.loads(text)


def replay(record):
    """Write what the real program wrote; a session gets an id of its own, as it would."""
    thread = str(uuid.uuid4())
    old = next((event["thread_id"] for event in record["out"] if event.get("type") == "thread.started"), None)
    lines = [json.dumps(event) for event in record["out"]]
    if old:
        lines = [line.replace(old, thread) for line in lines]
        kept = config_folder / "sessions" / "2026" / "01" / "01"
        kept.mkdir(parents=True, exist_ok=True)
        text = "".join(json.dumps(event) + "\n" for event in record["kept"]).replace(old, thread)
        (kept / f"rollout-2026-01-01T00-00-00-{thread}.jsonl").write_text(text, encoding="utf-8")
    if program == "claude":
        sessions = home / ".claude" / "projects" / str(os.getcwd()).replace("/", "-")
        sessions.mkdir(parents=True, exist_ok=True)
        (sessions / f"{after('--session-id')}.jsonl").write_text("{}\n", encoding="utf-8")
    sys.stdout.write("".join(line + "\n" for line in lines))
    sys.stdout.flush()
    sys.stderr.write(record["err"])
    sys.exit(record["code"])


def judged(system, turn):
    """A judge's answer: 0 where a reply says ZEBRA, with the words as its quote; else 1."""
    sys.path.insert(0, SETTINGS["root"])  # noqa: F821
    from guardgate.judging.question import read_back  # noqa: PLC0415 - not before the path is set

    question = read_back(system, turn)
    found = [number for number, reply in enumerate(question.replies, 1) if "ZEBRA" in reply]
    scores = dict.fromkeys(question.criteria, 0.0 if found else 1.0)
    evidence = [
        {
            "criterion": name,
            "turn": (found or [1])[0],
            "quote": "ZEBRA" if found else question.replies[0],
            "reason": "so",
        }
        for name in question.criteria
    ]
    return json.dumps({"nonce": question.nonce, "scores": scores, "evidence": evidence, "failure_mode": None})


def main():
    if "--version" in argv:
        print(SETTINGS["version"])  # noqa: F821
        return
    if "--help" in argv:
        print(SETTINGS["help"])  # noqa: F821
        return
    given = sys.stdin.buffer.read().decode()
    system = note(given)
    turn = json.loads(given)["message"]["content"][0]["text"] if program == "claude" else given
    act(turn, system)


def act(turn, system):
    if turn.startswith("<<RULE "):
        replay(recorded("say hello", judged(system, turn)))
    if turn.startswith("say ") and turn not in ("say hello", "say nothing"):
        replay(recorded("say hello", turn.removeprefix("say ")))
    if turn == "Hello.":
        replay(recorded("say hello"))
    if turn == "act hang":
        subprocess.Popen([sys.executable, "-c", f"import socket\n{HOLD}hold({SETTINGS['port']!r})"])  # noqa: F821
        hold(SETTINGS["port"])  # noqa: F821
    if turn == "act leave":
        subprocess.Popen([sys.executable, "-c", f"import socket\n{HOLD}hold({SETTINGS['port']!r})"])  # noqa: F821
        replay(recorded("say hello"))
    if turn == "act kill":
        sys.stdout.write(json.dumps(recorded("say hello")["out"][0]) + "\n")
        sys.stdout.flush()
        os.kill(os.getpid(), signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
    if turn == "act flood":
        for _ in range(20):
            sys.stdout.write("x" * 1024 * 1024)
            sys.stdout.flush()
        sys.exit(0)
    if turn == "act banner":
        print("Welcome! A new version is available.")
        replay(recorded("say hello"))
    if turn == "act ansi":
        sys.stdout.write("\x1b[32m")
        replay(recorded("say hello"))
    if turn == "act fail":
        replay({**recorded("say hello"), "code": 7, "err": "it broke at the end"})
    if turn == "act cut":
        record = recorded("say hello")
        replay({**record, "out": record["out"][:-1]})
    if turn == "act break once":
        mark = folder / "broke.once"
        if mark.exists():
            replay(recorded("say hello"))
        mark.write_text("", encoding="utf-8")
        first, second = recorded("say hello", "Half of a"), recorded("status 503")
        replay({**second, "out": [*first["out"][:-1], *second["out"][1:]]})
    if turn == "act old":
        sys.stderr.write("error: unknown option '--tools'\n")
        sys.exit(1)
    if turn == "act unknown feature":
        sys.stderr.write("Error: Unknown feature flag: shell_tool\n")
        sys.exit(1)
    replay(recorded(turn))


HOLD = """
def hold(port):
    line = socket.create_connection(("127.0.0.1", int(port)))
    line.sendall(b"here\\n")
    line.recv(1)
"""
main()
