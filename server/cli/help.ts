/** The help texts, made from the commands' own declarations. */
import type { Command } from './command.ts'
import { COMMON } from './parse.ts'
import { COMMANDS, COMMAND_NAMES, type CommandName } from './registry.ts'
import { table } from './terminal.ts'

/** `cutroom --help` */
export async function overview(): Promise<string[]> {
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
export function commandHelp(name: CommandName, command: Command): string[] {
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
    ...command.examples.flatMap(({ line, does }) => [`  ${line}`, `      ${does}`]),
  ]
}
