/** Parameters of commands: TypeBox schemas that also say how a value is found in a sentence. PURE. */
import { Type, type NumberOptions, type TProperties, type TSchema } from '@sinclair/typebox'
import { choice as oneOf } from '../../contract/config-fields.ts'
import { numberWay, PERCENT, WAYS, way, type Kind, type Way } from './match/ways.ts'
import { NUMBER } from './match/values.ts'

/** A symbol, because schemas are sent as JSON and this must not be in it. */
const READ = Symbol('read')

interface Reading {
  /** The first that finds a value that fits counts. */
  readonly ways: readonly Way[]
  /** Texts, then where in the clip, are read last: they take most. */
  readonly rank?: 1 | 2
  /** The pattern of a switch that may stand behind words of the transcript. */
  readonly mark?: string
  /** What stands before words that are not in quotes. */
  readonly beside?: string
  /** The same, but such words may be anything, so they are only believed where nothing else is understood. */
  readonly loose?: string
  /** Words of the transcript, as an editor points at them. */
  readonly spoken?: boolean
}

export const readingOf = (schema: TSchema): Reading =>
  (schema as unknown as { readonly [READ]?: Reading })[READ] ?? { ways: [] }

const read = (reading: Reading): object => ({ [READ]: reading })

type Words = Readonly<Record<string, string>>
/** Each pattern with the value that it stands for. */
type Names = readonly (readonly [pattern: string, value: unknown])[]
const waysOf = (names: Names): Way[] => names.map(([pattern, value]) => way(pattern, () => value))
const numbered = (words: Words): Way[] =>
  waysOf(Object.entries(words).map(([value, pattern]) => [pattern, Number(value)]))

export const optional = <Fields extends TProperties>(fields: Fields) =>
  Type.Partial(Type.Object(fields)).properties

/** `unit`: seconds, %, times: shown behind the field of a form. */
export const number = (options: NumberOptions, kind: Kind = 'number', words: Words = {}) =>
  Type.Number({ ...options, ...read({ ways: [...WAYS[kind], ...numbered(words)] }) })
/** A whole number with the word of its unit behind it, if it has one. */
export const count = (options: NumberOptions, unit?: string) =>
  Type.Integer({
    ...options,
    ...read({ ways: unit === undefined ? WAYS.number : [numberWay(`(?<n>${NUMBER}) (?:${unit})`)] }),
  })
/** `1.5x`, `150%`; `more`: percent under 100 are added to 1. */
export const factor = (options: NumberOptions, words: Words, more = false) => {
  const fromPercent = (value: number) => (more && value < 100 ? 1 + value / 100 : value / 100)
  const ways = [...WAYS.factor, numberWay(PERCENT, fromPercent), ...numbered(words)]
  return Type.Number({ ...options, unit: '×', ...read({ ways }) })
}

const second = (description: string, reading: Reading) => {
  const words = `${description}, seconds as the player counts them`
  return Type.Number({ minimum: 0, maximum: 86_400, unit: 's', description: words, ...read(reading) })
}
/** A moment as the player counts it. */
export const moment = (description: string) => second(description, { ways: WAYS.time })
/** A stretch of time; both ends are read at once. */
export const range = {
  from: second('Beginning', { ways: WAYS.range, rank: 2 }),
  to: second('End', { ways: [], rank: 2 }),
}

/** One of a closed list; each value with the pattern of what it is called, or with a row that begins with it. */
export const choice = <const Values extends Readonly<Record<string, string | readonly string[]>>>(
  values: Values,
) =>
  oneOf(Object.keys(values) as [keyof Values & string, ...(keyof Values & string)[]], {
    ...read({ ways: waysOf(Object.entries(values).map(([value, row]) => [[row].flat()[0] ?? '', value])) }),
  })

const ON =
  'turn on|switch on|back on|enable|show|add|use|put on|bring back|activate|with|display|want|include|give me|on|shown|enabled|visible'
const OFF =
  'turn off|switch off|take off|take away|disable|hide|remove|delete|no|without|get rid of|drop|lose|stop|deactivate|kill|away|off|hidden|gone|disabled|not'
/** On or off; `more`: further words for on. */
export const flag = (description: string, ...more: readonly string[]) => {
  const names: Names = [
    [OFF, false],
    [[ON, ...more].join('|'), true],
  ]
  return Type.Boolean({ description, ...read({ ways: waysOf(names) }) })
}
/** True where the switch is mentioned. */
export const mark = (description: string, pattern: string) =>
  Type.Boolean({ description, ...read({ ways: waysOf([[pattern, true]]), mark: pattern }) })

/** Text in quotes, or what follows the pattern `beside`. */
export const text = (description: string, beside: string, options: Partial<Reading> = {}) => {
  const reading = read({ ways: WAYS.text, rank: 1, beside, ...options })
  return Type.String({ minLength: 1, maxLength: 500, description, ...reading })
}
/** Words of the transcript. */
export const phrase = (description: string, beside: string, loose = '') =>
  text(description, beside, { spoken: true, loose })

/** A name of a list: presets, palettes. */
export const nameOf = (description: string, names: Names, reading: Reading = { ways: waysOf(names) }) =>
  Type.String({ minLength: 1, maxLength: 200, description, ...read(reading) })
/** One that may also be text in quotes. */
export const quotedName = (description: string, names: Names) =>
  nameOf(description, names, { ways: [...waysOf(names), ...WAYS.text], rank: 1 })
export const colour = () => {
  const description = 'A CSS colour name, or #rrggbb'
  return Type.String({ minLength: 3, maxLength: 40, description, ...read({ ways: WAYS.colour }) })
}

const SPEAKER = '(?:he|she|they|i|we|you|it|someone|somebody|the speaker) says?'
/** Comes before words of the transcript. */
const AT_WORDS = `when ${SPEAKER}|where ${SPEAKER}|while saying|(?:over|on|at|for|during) the words?|(?:on|at) the (?:phrase|sentence)|when|where|on|at|over|for|during|around|to`
/** A stretch, named by words of the transcript or by time. */
export const where = optional({
  phrase: phrase('Words that are said there, as they stand in the transcript', AT_WORDS),
  ...range,
})
