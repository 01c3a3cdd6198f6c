# SPDX-License-Identifier: Apache-2.0
"""Shown output against the real one."""

from page import agree


def differences(results):
    """What is wrong with the commands of a page, in words."""
    found = []
    for command, code, real in results:
        where = f"line {command.line + 1}: {command.text}"
        if code != command.code:
            found.append("\n".join([f"{where}\n  exits with {code}, not {command.code}:", *real[-12:]]))
        elif command.shown is not None and not agree(command.shown, real):
            found.append("\n".join([f"{where}\n  the real output is:", *real]))
    return found


def unnoticed_digits(results):
    """How many digits are shown, and which of them could be others without this check noticing."""
    count, unnoticed = 0, []
    for command, _, real in results:
        for number, line in enumerate(command.shown or []):
            for at, char in enumerate(line):
                if not char.isdigit():
                    continue
                count += 1
                other = line[:at] + str((int(char) + 1) % 10) + line[at + 1:]
                if agree(command.shown[:number] + [other] + command.shown[number + 1:], real):
                    unnoticed.append(f"line {command.shown_at + number + 1}: nobody would notice another {char}")
    return count, unnoticed
