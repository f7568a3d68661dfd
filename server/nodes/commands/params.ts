/** Parameters of commands: TypeBox schemas that also say how a value is found in a sentence. PURE. */
import { Type, type TObject, type TProperties, type TSchema } from '@sinclair/typebox'
import { choice as oneOf, closedObject } from '../../contract/config-fields.ts'

/** A symbol, because schemas are sent as JSON and this must not be in it. */
const READ = Symbol('read')

/** `count` needs its unit's word; `factor`: `1.5x`, `150%`; `share`: `30%`, `0.3`; `range`: from and to at once. */
export type Kind =
  'number' | 'count' | 'factor' | 'share' | 'percent' | 'time' | 'length' | 'colour' | 'text' | 'range'

export interface Reading {
  readonly kind?: Kind
  /** Patterns that stand for values; the first that is found counts. */
  readonly words?: readonly (readonly [pattern: string, value: unknown])[]
  /** `count`: the pattern of its unit. `text`: what stands before words that are not in quotes. */
  readonly beside?: string
  /** `text`: such words may be anything, so they are only believed where nothing else is understood. */
  readonly loose?: string
  /** `text`: words of the transcript, as an editor points at them. */
  readonly spoken?: boolean
  /** `factor`: percent under 100 are added to 1. */
  readonly more?: boolean
}

export const readingOf = (schema: TSchema): Reading =>
  (schema as unknown as { readonly [READ]?: Reading })[READ] ?? {}

type Words = Readonly<Record<string, string>>
const read = (reading: Reading): object => ({ [READ]: reading })
const numbered = (words: Words) =>
  Object.entries(words).map(([value, text]) => [text, Number(value)] as const)

export const params = <Fields extends TProperties>(fields: Fields): TObject<Fields> => closedObject(fields)
export const maybe = <Field extends TSchema>(field: Field) => Type.Optional(field)

interface NumberOptions {
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly description?: string
  readonly default?: number
  readonly title?: string
  /** Seconds, %, times: shown behind the field of a form. */
  readonly unit?: string
}
export const number = (options: NumberOptions, kind: Kind = 'number', words: Words = {}) =>
  Type.Number({ ...options, ...read({ kind, words: numbered(words) }) })
export const count = (beside: string, options: NumberOptions, words: Words = {}) =>
  Type.Integer({
    ...options,
    ...read({ kind: beside === '' ? 'number' : 'count', words: numbered(words), beside }),
  })
export const factor = (options: NumberOptions, words: Words, more = false) =>
  Type.Number({ ...options, unit: '×', ...read({ kind: 'factor', words: numbered(words), more }) })

const seconds = { minimum: 0, maximum: 86_400, unit: 's' }
/** A moment as the player counts it. */
export const moment = (description: string, kind: Kind = 'time') =>
  number({ ...seconds, description: `${description}, seconds as the player counts them` }, kind)

/** One of a closed list; each value with the pattern of what it is called. */
export const choice = <const Values extends Words>(values: Values) =>
  oneOf(Object.keys(values) as [keyof Values & string, ...(keyof Values & string)[]], {
    ...read({ words: Object.entries(values).map(([value, pattern]) => [pattern, value] as const) }),
  })
const ON =
  'turn on|switch on|back on|enable|show|add|use|put on|bring back|activate|with|display|want|include|give me|on|shown|enabled|visible'
const OFF =
  'turn off|switch off|take off|take away|disable|hide|remove|delete|no|without|get rid of|drop|lose|stop|deactivate|kill|away|off|hidden|gone|disabled|not'
/** On or off; `more`: further words for on. */
export const flag = (description: string, more = ON) =>
  Type.Boolean({
    description,
    ...read({
      words: [
        [OFF, false],
        [more === ON ? ON : `${ON}|${more}`, true],
      ],
    }),
  })
/** True where the switch is mentioned. */
export const mark = (description: string, pattern: string) =>
  Type.Boolean({ description, ...read({ words: [[pattern, true]] }) })

/** Text in quotes, or what follows `beside`. */
export const text = (description: string, beside = '', reading: Reading = {}) =>
  Type.String({ minLength: 1, maxLength: 500, description, ...read({ kind: 'text', beside, ...reading }) })
/** Words of the transcript. */
export const phrase = (description: string, beside: string, reading: Reading = {}) =>
  text(description, beside, { spoken: true, ...reading })

type Names = readonly (readonly [pattern: string, value: string])[]
/** A name of a list: presets, palettes, speakers. */
export const nameOf = (description: string, words: Names, reading: Reading = {}) =>
  Type.String({ minLength: 1, maxLength: 200, description, ...read({ words, ...reading }) })
export const colour = () =>
  Type.String({
    minLength: 3,
    maxLength: 40,
    description: 'A CSS colour name, or #rrggbb',
    ...read({ kind: 'colour' }),
  })

const SPEAKER = '(?:he|she|they|i|we|you|it|someone|somebody|the speaker) says?'
/** Comes before words of the transcript. */
const AT_WORDS = `when ${SPEAKER}|where ${SPEAKER}|while saying|(?:over|on|at|for|during) the words?|(?:on|at) the (?:phrase|sentence)|when|where|on|at|over|for|during|around|to`
/** A range, named by words of the transcript or by time. */
export const where = {
  phrase: maybe(phrase('Words that are said there, as they stand in the transcript', AT_WORDS)),
  from: maybe(moment('Beginning', 'range')),
  to: maybe(moment('End', 'range')),
}
