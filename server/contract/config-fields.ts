/** Building blocks of schemas, and of the config schemas: every field optional, described, with its unit. PURE. */
import {
  Type,
  type ObjectOptions,
  type TBoolean,
  type TNumber,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TString,
} from '@sinclair/typebox'
import { omitUndefined } from './omit-undefined.ts'

/**
 * Marks a property that is a second name of another: accepted or answered as ever, and in no OpenAPI document, because
 * generators of clients make one name of both.
 */
export const ALIAS_OF = 'x-alias-of'

/** What a text or number means beyond its type: judged where a caller sends it (nodes/judge-values.ts). */
export type Meaning = 'colour' | 'address' | 'length' | 'weight'
/** A symbol: what it marks stays out of the OpenAPI documents. */
export const MEANING = Symbol('meaning')
const means = (meaning: Meaning): object => ({ [MEANING]: meaning })

/** Refuses names that the schema does not know. */
export const closedConfig = { additionalProperties: false } as const

/** An object that refuses names that it does not know. */
export const closedObject = <Fields extends TProperties>(fields: Fields, options: ObjectOptions = {}) =>
  Type.Object(fields, { ...closedConfig, ...options })

/** The same, with its description. */
export const describedObject = <Fields extends TProperties>(description: string, fields: Fields) =>
  closedObject(fields, { description })

/** A value that may be null. */
export const nullable = <Value extends TSchema>(
  value: Value,
  options: { description?: string; default?: null } = {},
) => Type.Union([value, Type.Null()], options)

/** How a body is described whose optional members may be null, which counts as not sent. */
export function takesNull(body: TObject): TObject {
  const required: readonly string[] = body.required ?? []
  const properties = Object.entries(body.properties).map(([name, member]): [string, TSchema] => {
    if (required.includes(name)) return [name, member]
    const { description, default: usual } = member as { description?: string; default?: null }
    const value = { ...member }
    delete value.description
    delete value.default
    return [name, Type.Optional(nullable(value, omitUndefined({ description, default: usual })))]
  })
  return { ...body, properties: Object.fromEntries(properties) }
}

/** Free text; `maxLength` in characters. */
export const textField = (description: string, maxLength = 500): TOptional<TString> =>
  Type.Optional(Type.String({ description, maxLength }))

const MAX_ADDRESS = 8192
/** As much as the body of a request may have. */
const MAX_DATA_ADDRESS = 1024 * 1024

/** A web or media address. */
export const urlField = (description: string): TOptional<TString> =>
  Type.Optional(Type.String({ description, maxLength: MAX_ADDRESS, ...means('address') }))

/** What `mediaAddress` takes, in words. */
export const MEDIA_ADDRESS_IN_WORDS = `an address of at most ${MAX_ADDRESS} characters, or a data: address of a picture or sound of at most ${MAX_DATA_ADDRESS}`

const MEDIA_ADDRESS = `^(?:data:(?:image|audio)/[\\s\\S]*|[\\s\\S]{0,${MAX_ADDRESS}})$`

/** The address of a picture or a sound, which may be written into it. */
export function mediaAddress(description?: string): TString {
  const words = omitUndefined({ description })
  return Type.String({ ...words, maxLength: MAX_DATA_ADDRESS, pattern: MEDIA_ADDRESS, ...means('address') })
}

/** Whether this is the schema of `mediaAddress`. */
export const isMediaAddress = (schema: TSchema): boolean => schema['pattern'] === MEDIA_ADDRESS

/** The optional form of `mediaAddress`. */
export const mediaUrlField = (description: string): TOptional<TString> =>
  Type.Optional(mediaAddress(description))

/** A CSS colour: `#rgb`, `#rrggbb`, `#rrggbbaa`, `rgb()`, `rgba()`, `hsl()` or a CSS colour name. */
export const colourField = (description: string): TOptional<TString> =>
  Type.Optional(
    Type.String({ description: `${description} (CSS colour)`, maxLength: 100, ...means('colour') }),
  )

export function numberField(
  description: string,
  options: { minimum?: number; maximum?: number; exclusiveMinimum?: number; default?: number } = {},
): TOptional<TNumber> {
  return Type.Optional(Type.Number({ description, ...options }))
}

/** A number from 0 to 1. */
export const unitField = (description: string, fallback?: number): TOptional<TNumber> =>
  numberField(description, { minimum: 0, maximum: 1, ...omitUndefined({ default: fallback }) })

export const booleanField = (description: string, fallback?: boolean): TOptional<TBoolean> =>
  Type.Optional(Type.Boolean({ description, ...omitUndefined({ default: fallback }) }))

/** A length that callers send as a number or as a string such as `"64"` or `"64px"`. */
export const lengthField = (description: string) => numberOrText(description, 'length')

/** A weight of letters: a number, or a name such as `"bold"`. */
export const weightField = (description: string) => numberOrText(description, 'weight')

function numberOrText(description: string, meaning: Meaning) {
  const either = [Type.Number(), Type.String({ maxLength: 40 })] as const
  return Type.Optional(Type.Union([...either], { description, ...means(meaning) }))
}

/** One of a closed list of strings. */
export function choiceField<const Values extends readonly string[]>(
  description: string,
  values: Values,
  fallback?: Values[number],
) {
  return Type.Optional(choice(values, { description, ...omitUndefined({ default: fallback }) }))
}

/** The required form of `choiceField`, also used for list items. */
export function choice<const Values extends readonly string[]>(
  values: Values,
  options: { description?: string; default?: string } = {},
) {
  return Type.Unsafe<Values[number]>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      options,
    ),
  )
}

/** The same as an `enum` of texts, which documents of answers have. */
export const oneOf = <const Values extends readonly string[]>(values: Values, description?: string) =>
  Type.Unsafe<Values[number]>(Type.String({ enum: [...values], ...omitUndefined({ description }) }))

/** A list of at most `maxItems`. */
export function listField<Item extends TSchema>(item: Item, description: string, maxItems = 1000) {
  return Type.Optional(Type.Array(item, { description, maxItems }))
}
