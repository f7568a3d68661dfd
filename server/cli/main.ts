/**
 * The `cutroom` command line. Here: finding the command, help, errors as one line, exit codes. Each subcommand is a file
 * in commands/. It may use everything of the server; nothing of the server knows it.
 */
import { runCommandLine } from './command-line.ts'
import { heedNohup } from './stop-signal.ts'
import { endWith, processTerminal } from './terminal.ts'

/** A handle that some library forgot must not keep a finished command alive. */
const EXIT_GRACE_MS = 2000

heedNohup()
endWith(await runCommandLine(process.argv.slice(2), processTerminal()))
setTimeout(() => process.exit(), EXIT_GRACE_MS).unref()
