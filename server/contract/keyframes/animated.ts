/** Which properties can have keyframes: every number in the schemas of layers and sound tracks that is none of time. PURE. */
import type { TSchema } from '@sinclair/typebox'
import { Layer, SoundTrack } from '../composition.ts'

export interface AnimatedProperty {
  readonly name: string
  readonly minimum: number
  readonly maximum: number
}

/** Members that say when, or which file, and not how something looks or sounds. */
const NOT_ANIMATED =
  /^(?:asset|part|person|cues|keyframes|intro|outro|source\w*|.*Frames?|.*Ms|framesPerLevel|levels|maxLines|duckDb|fontWeight|drift)$/u

function numbersOf(schema: TSchema, path: string): AnimatedProperty[] {
  if (schema['type'] === 'number' || schema['type'] === 'integer') {
    const { minimum = -Infinity, maximum = Infinity } = schema as { minimum?: number; maximum?: number }
    return [{ name: path, minimum, maximum }]
  }
  if (schema['type'] === 'array') return numbersOf(schema['items'] as TSchema, path)
  const branches = (schema['anyOf'] as TSchema[] | undefined) ?? []
  const inner = Object.entries((schema['properties'] as Record<string, TSchema> | undefined) ?? {})
  return [
    ...branches.flatMap((branch) => numbersOf(branch, path)),
    ...inner.flatMap(([name, member]) =>
      NOT_ANIMATED.test(name) ? [] : numbersOf(member, path === '' ? name : `${path}.${name}`),
    ),
  ]
}

const KINDS = new Map(
  (Layer.anyOf as readonly TSchema[]).map((schema) => [
    (schema['properties'] as { kind: { const: string } }).kind.const,
    numbersOf(schema, ''),
  ]),
)

/** Of a kind of layer. */
export const animatedOfLayer = (kind: Layer['kind']): readonly AnimatedProperty[] => KINDS.get(kind) ?? []

/** Of a sound track. */
export const ANIMATED_SOUND: readonly AnimatedProperty[] = numbersOf(SoundTrack, '')

/** The names of all of them, each once. */
export const ANIMATED_NAMES: readonly string[] = [
  ...new Set([...KINDS.values(), ANIMATED_SOUND].flatMap((properties) => properties.map(({ name }) => name))),
]
