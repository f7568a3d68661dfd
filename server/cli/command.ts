/**
 * What a subcommand is: a summary for the list, options that parse, document and type themselves, and a function that
 * says what to print. `defineCommand` ties the types together and prints.
 */

/** The two streams a command talks to. Results go to stdout; progress, notes and errors go to stderr. */
export interface Terminal {
  /** One line of the result on stdout. */
  out(line: string): void
  /** One line for the person on stderr. */
  note(line: string): void
  /** Redraws one line of stderr on a terminal; prints nothing otherwise. Empty text clears the line. */
  status(line: string): void
  /** Whether stderr is a terminal, where progress bars may be redrawn. */
  readonly interactive: boolean
  /** Columns of the window. */
  readonly columns: number
}

export interface OptionSpec {
  readonly type: 'string' | 'boolean'
  /** May be given several times: the value is a list. */
  readonly multiple?: boolean
  readonly required?: boolean
  /** Placeholder of the value in the help text: `DIR`. */
  readonly value?: string
  readonly description: string
}

/** An option that need not be given; `value` is its placeholder in the help text. */
export const optional = (value: string, description: string) =>
  ({ type: 'string', value, description }) as const
/** An option that must be given. */
export const required = (value: string, description: string) =>
  ({ type: 'string', required: true, value, description }) as const
/** An option that may be given several times. */
export const repeated = (value: string, description: string) =>
  ({ type: 'string', multiple: true, value, description }) as const
/** An option without a value. */
export const flag = (description: string) => ({ type: 'boolean', description }) as const

export type OptionSpecs = Readonly<Record<string, OptionSpec>>

/** Values by option name, as the specs promise them. */
export type OptionValues<Specs extends OptionSpecs> = {
  readonly [Name in keyof Specs]: Specs[Name] extends { readonly multiple: true }
    ? readonly string[]
    : Specs[Name] extends { readonly type: 'boolean' }
      ? boolean
      : Specs[Name] extends { readonly required: true }
        ? string
        : string | undefined
}

/** Options that every command takes. */
export interface CommonOptions {
  readonly home: string | undefined
  readonly json: boolean
}

export interface CommandInput<Specs extends OptionSpecs> {
  readonly options: OptionValues<Specs> & CommonOptions
  /** As many as `positionals` allows: missing optional ones are absent. */
  readonly positionals: readonly string[]
  readonly terminal: Terminal
}

/** The result of a command: JSON on stdout for machines; for people lines on stdout and notes on stderr. */
export interface Printed {
  readonly json: unknown
  readonly text: string | readonly string[]
  readonly notes?: readonly string[]
  /** Exit code 1, although there is a result. */
  readonly failed?: boolean
}

export interface Declaration<Specs extends OptionSpecs, Given = unknown> {
  readonly summary: string
  /** Names of what comes without a dash: `URL_OR_FILE`; in brackets when it may be left out; `...` when repeated. */
  readonly positionals?: readonly string[]
  readonly options?: Specs
  /** Command lines that work, each with one sentence. */
  readonly examples: Readonly<Record<string, string>>
  /** What is to be printed, or the exit code where it printed by itself. Throws AppError for a failure with a sentence. */
  run(input: CommandInput<Specs> & Given): Promise<Printed | number> | Printed | number
}

/** A command with its option types forgotten (the parser is what fills them); `run` gives the exit code. */
export interface Command extends Required<Declaration<OptionSpecs>> {
  run(input: CommandInput<OptionSpecs>): Promise<number>
}

/** Exit codes: 0 done, 1 failed, 2 the command line itself is wrong. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const

/** Gives a command its option types, and prints what it returns. */
export function defineCommand<const Specs extends OptionSpecs = Record<never, never>>(
  declaration: Declaration<Specs>,
): Command {
  return {
    positionals: [],
    options: {},
    ...declaration,
    run: async (input) => {
      const result = await declaration.run(input as CommandInput<Specs>)
      return typeof result === 'number' ? result : print(result, input.options.json, input.terminal)
    },
  }
}

function print({ json, text, notes = [], failed = false }: Printed, asJson: boolean, terminal: Terminal) {
  if (asJson) terminal.out(JSON.stringify(json))
  else {
    for (const line of [text].flat()) terminal.out(line)
    for (const note of notes) terminal.note(note)
  }
  return failed ? EXIT.failed : EXIT.done
}
