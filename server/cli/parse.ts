/** From words to a command's typed input. Everything wrong with the words is INVALID_USAGE, which exits 2. */
import { parseArgs } from 'node:util'
import { AppError } from '../contract/errors.ts'
import type { Command, CommonOptions, OptionSpecs, OptionValues } from './command.ts'

export const COMMON: OptionSpecs = {
  home: { type: 'string', value: 'DIR', description: "the appliance's folder (CUTROOM_HOME)" },
  json: { type: 'boolean', description: 'print JSON for machines' },
  help: { type: 'boolean', description: 'show this' },
}

export interface ParsedWords {
  readonly help: boolean
  readonly options: OptionValues<OptionSpecs> & CommonOptions
  readonly positionals: readonly string[]
}

function usageError(message: string, cause?: unknown): AppError {
  return new AppError('INVALID_USAGE', { message, cause })
}

/** How many positionals a command takes: brackets mean optional, dots mean any number. */
function positionalRange(positionals: readonly string[]): { least: number; most: number } {
  return {
    least: positionals.filter((name) => !name.startsWith('[')).length,
    most: positionals.some((name) => name.includes('...')) ? Infinity : positionals.length,
  }
}

/** Reads `words` by the command's own specs. Throws AppError INVALID_USAGE with one sentence. */
export function parseWords(command: Command, words: readonly string[]): ParsedWords {
  const specs: OptionSpecs = { ...command.options, ...COMMON }
  const { values, positionals } = readWords(specs, words)
  const options: Record<string, unknown> = {}
  if (values['help'] === true) return { help: true, options: options as ParsedWords['options'], positionals }
  for (const [name, spec] of Object.entries(specs)) {
    const value = values[name]
    if (spec.required === true && value === undefined) throw usageError(`--${name} is needed.`)
    options[name] = value ?? (spec.multiple === true ? [] : spec.type === 'boolean' ? false : undefined)
  }
  const { least, most } = positionalRange(command.positionals)
  if (positionals.length < least)
    throw usageError(`${command.positionals[positionals.length] ?? 'an argument'} is needed.`)
  if (positionals.length > most) throw usageError(`"${String(positionals[most])}" is one argument too many.`)
  return { help: false, options: options as ParsedWords['options'], positionals }
}

function readWords(specs: OptionSpecs, words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      strict: true,
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(specs).map(([name, spec]) => [
          name,
          { type: spec.type, multiple: spec.multiple === true, ...(name === 'help' ? { short: 'h' } : {}) },
        ]),
      ),
    })
  } catch (cause) {
    // Node's sentence names the option; its advice about `--` is left out.
    const text = cause instanceof Error ? cause.message : String(cause)
    throw usageError((text.split(/\. (?=To specify)|\n/)[0] ?? text).replace(/\.?$/, '.'), cause)
  }
}
