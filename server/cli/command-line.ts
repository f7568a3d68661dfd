/** One command line from words to exit code: finding the command, help, errors as one line. */
import { AppError } from '../contract/errors.ts'
import { isOutOfRoom, outOfRoom } from '../db/opening-failures.ts'
import { EXIT, type Terminal, type Command } from './command.ts'
import { parseWords, COMMON } from './parse.ts'
import { COMMANDS, COMMAND_NAMES, findCommand, type CommandName } from './registry.ts'
import { table } from './terminal.ts'

/** Runs one command line (without the program's own name) and returns its exit code. Never throws. */
export async function runCommandLine(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await dispatch(words, terminal)
  } catch (error) {
    return report(error, words.includes('--json'), terminal)
  }
}

async function dispatch(words: readonly string[], terminal: Terminal): Promise<number> {
  if (words[0] === '--version') {
    const { applicationVersion } = await import('../config/config.ts')
    terminal.out(applicationVersion())
    return EXIT.done
  }
  const found = findCommand(words)
  if (found === null) return await unknownCommand(words, terminal)
  const command = await COMMANDS[found.name]()
  const parsed = parseWords(command, found.rest)
  const { help, options, positionals } = parsed
  if (help) {
    for (const line of commandHelp(found.name, command)) terminal.out(line)
    return EXIT.done
  }
  const record = async (exitCode: number): Promise<number> => {
    const { recordCommand } = await import('./record-command.ts')
    recordCommand(found.name, command, parsed, { exitCode, terminal })
    return exitCode
  }
  try {
    return await record(await command.run({ options, positionals, terminal }))
  } catch (error) {
    await record(exitCodeOf(error))
    throw error
  }
}

const exitCodeOf = (error: unknown): number =>
  error instanceof AppError && error.code === 'INVALID_USAGE' ? EXIT.usage : EXIT.failed

async function unknownCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  const first = words[0]
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    for (const line of await overview()) terminal.out(line)
    return first === undefined ? EXIT.usage : EXIT.done
  }
  const group = COMMAND_NAMES.filter((name) => name.startsWith(`${first} `))
  if (group.length > 0 && words.some((word) => word === '--help' || word === '-h')) {
    for (const line of (await overview()).filter((text) => text.startsWith(`  ${first} `))) terminal.out(line)
    return EXIT.done
  }
  throw new AppError(
    'INVALID_USAGE',
    group.length > 0
      ? `"${first}" needs one of: ${group.map((name) => name.slice(first.length + 1)).join(', ')}.`
      : `There is no command "${first}".`,
  )
}

/** A full disk can occur wherever something is written. It is not a defect, so no stack trace is printed. */
const inWords = (error: unknown): unknown =>
  error instanceof AppError || !isOutOfRoom(error) ? error : outOfRoom('What is to be kept', error)

function report(thrown: unknown, json: boolean, terminal: Terminal): number {
  const error = inWords(thrown)
  const known = error instanceof AppError
  const message = error instanceof Error ? error.message : String(error)
  const code = known ? error.code : 'INTERNAL'
  if (json) {
    const details = known && error.details !== undefined ? { details: error.details } : {}
    terminal.note(JSON.stringify({ error: message, status: 'error', code, ...details }))
  } else {
    terminal.note(`cutroom: ${message}`)
    if (code === 'INVALID_USAGE') terminal.note('`cutroom --help` lists the commands.')
    if (!known && error instanceof Error && error.stack !== undefined) terminal.note(error.stack)
  }
  return exitCodeOf(error)
}

/** `cutroom --help` */
async function overview(): Promise<string[]> {
  const rows = await Promise.all(
    COMMAND_NAMES.map(async (name) => {
      const command = await COMMANDS[name]()
      return [`  ${name}`, command.summary]
    }),
  )
  return [
    'Cutroom turns long videos into finished short clips, on your own hardware.',
    '',
    'Usage: cutroom COMMAND [ARGUMENTS] [--home DIR] [--json]',
    '',
    ...table(rows),
    '',
    '`cutroom COMMAND --help` shows arguments and examples.',
    'Exit codes: 0 done, 1 failed, 2 the command line is wrong.',
  ]
}

/** `cutroom NAME --help` */
function commandHelp(name: CommandName, command: Command): string[] {
  const options = Object.entries({ ...command.options, ...COMMON }).map(([option, spec]) => [
    `  --${option}${spec.type === 'string' ? ` ${spec.value ?? 'VALUE'}` : ''}`,
    `${spec.description}${spec.required === true ? ' (needed)' : ''}${spec.multiple === true ? ' (may be repeated)' : ''}`,
  ])
  return [
    command.summary,
    '',
    `Usage: cutroom ${[name, ...command.positionals, '[OPTIONS]'].join(' ')}`,
    '',
    ...table(options),
    '',
    'Examples:',
    ...Object.entries(command.examples).flatMap(([line, does]) => [`  ${line}`, `      ${does}`]),
  ]
}
