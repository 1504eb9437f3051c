"""Runs the client for tests: a line of JSON on stdin is a call, a line on stdout its result.

Before a retry the driver prints ``{"retry": ...}`` and waits for a line, so that a test decides what happens between two
tries.
"""

import json
import os
import sys
import threading
import time

from hengtai_platform import PlatformClient, RefusedCall, check_webhook

stop = threading.Event()
last_retry = {}


def read_line():
    line = sys.stdin.readline()
    return json.loads(line) if line else None


def write_line(value):
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def on_retry(path, tries, error):
    last_retry.update({"path": path, "tries": tries, "error": str(error)})


def sleep(_seconds):
    write_line({"retry": last_retry})
    read_line()


offset = int(os.environ.get("CLOCK_OFFSET_MS", "0"))
client = PlatformClient(
    os.environ["PLATFORM_URL"],
    os.environ["PLATFORM_KEY"],
    os.environ["PLATFORM_SECRET"],
    timeout=30,
    stop=stop,
    on_retry=on_retry,
    now=lambda: time.time() * 1000 + offset,
    sleep=sleep,
)


class FileOutbox:
    """An outbox in a file, which survives a kill."""

    def __init__(self, file):
        self.file = file

    def read(self):
        with open(self.file, encoding="utf-8") as source:
            return json.load(source)

    def next(self, limit):
        state = self.read()
        first = len(state["answers"])
        return state["events"][first : first + limit]

    def mark(self, answers):
        state = self.read()
        state["answers"] += answers
        with open(self.file + ".new", "w", encoding="utf-8") as target:
            json.dump(state, target)
        os.replace(self.file + ".new", self.file)


def handle_commands(line):
    """Handles commands until there were ``count``, and returns them."""
    handled = []

    def handler(command):
        handled.append(command)
        return {"state": "done"}

    original = client.acknowledge

    def acknowledge(acks):
        answers = original(acks)
        if len(handled) == line["count"]:
            stop.set()
        return answers

    client.acknowledge = acknowledge
    client.handle_commands(handler, **line.get("options", {}))
    return handled


def webhook(line):
    request = line["request"]
    credentials = [(one["key"], one["secret"]) for one in line["credentials"]]
    return check_webhook(
        request["method"], request["path"], request["headers"], request["body"], credentials, line["now"]
    )


calls = {
    "sendEvents": lambda line: client.send_events(line["events"]),
    "dryRun": lambda line: client.dry_run(line["events"]),
    "drainOutbox": lambda line: client.drain_outbox(FileOutbox(line["file"])),
    "poll": lambda line: client.poll(**line.get("options", {})),
    "acknowledge": lambda line: client.acknowledge(line["acks"]),
    "confirmReceipt": lambda line: client.confirm_receipt(line["commands"]),
    "renewLeases": lambda line: client.renew_leases(line["commands"]),
    "findEvent": lambda line: client.find_event(line["eventId"]),
    "read": lambda line: client.read(line["path"], line.get("query")),
    "handleCommands": handle_commands,
    "checkWebhook": webhook,
}

while True:
    line = read_line()
    if line is None:
        break
    try:
        write_line({"result": calls[line["call"]](line)})
    except RefusedCall as refused:
        failure = {"isRefused": True, "status": refused.status, "error": refused.error, "message": str(refused)}
        write_line({"failure": failure})
    except Exception as error:  # The test decides whether the call may fail.
        write_line({"failure": {"isRefused": False, "status": 0, "error": "", "message": repr(error)}})
