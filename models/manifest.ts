/**
 * Which models there are (manifest.json), where they are stored and how they are downloaded. The server and the workers
 * import this folder, and it imports neither. Nothing else in Cutroom downloads weights.
 */
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import manifestJson from './manifest.json' with { type: 'json' }

export const MODEL_TASKS = [
  'speech',
  'voice-activity',
  'speakers',
  'speaker-embedding',
  'faces',
  'active-speaker',
  'sound-events',
  'text-embedding',
] as const
export type ModelTask = (typeof MODEL_TASKS)[number]

export const ModelFile = Type.Object(
  {
    /** Relative to the model's folder. */
    path: Type.String({ pattern: '^[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$' }),
    bytes: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
    sha256: Type.Union([Type.String({ pattern: '^[0-9a-f]{64}$' }), Type.Null()]),
    /** Null: the file can only be installed from a folder or archive. */
    url: Type.Union([Type.String({ pattern: '^https://' }), Type.Null()]),
  },
  { additionalProperties: false },
)
export type ModelFile = Static<typeof ModelFile>

const FRONT_ENDS = ['mfcc-40', 'fbank-80'] as const

/** How a voice embedding model is used. */
const VoiceModel = Type.Object(
  {
    frontEnd: Type.Union(FRONT_ENDS.map((name) => Type.Literal(name))),
    /** Similarity (cosine) of long speech above which two voices are the same one. */
    sameVoice: Type.Number({ exclusiveMinimum: -1, maximum: 1 }),
    /** The similarity from which on a voice is taken for one that was named, in whatever source: far higher, because a wrong name harms. */
    namedVoice: Type.Number({ exclusiveMinimum: -1, maximum: 1 }),
  },
  { additionalProperties: false },
)
export type VoiceModel = Static<typeof VoiceModel>

export const ManifestModel = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9][a-z0-9-]*$' }),
    task: Type.Union(MODEL_TASKS.map((task) => Type.Literal(task))),
    title: Type.String(),
    goodFor: Type.String(),
    hardware: Type.String(),
    licence: Type.String(),
    source: Type.String(),
    /** Path below a models folder. */
    folder: Type.String({ pattern: '^[a-z0-9-]+(/[A-Za-z0-9_.-]+)?$' }),
    /** Precision of each ONNX part, in the words of the inference library. */
    dtype: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** What a voice embedding takes and when two voices are one: see workers/stages/speakers. */
    voice: Type.Optional(VoiceModel),
    /** For tests only; never chosen unless it is named. */
    development: Type.Optional(Type.Boolean()),
    checksums: Type.Union([Type.Literal('pinned'), Type.Literal('recorded')]),
    files: Type.Array(ModelFile, { minItems: 1 }),
  },
  { additionalProperties: false },
)
export type ManifestModel = Static<typeof ManifestModel>

const Manifest = Type.Object({
  version: Type.Literal(1),
  note: Type.String(),
  models: Type.Array(ManifestModel),
})

/** Every known model, the best choice for each task first. Throws when manifest.json is damaged. */
export function readManifest(): readonly ManifestModel[] {
  return Value.Decode(Manifest, manifestJson).models
}

export function manifestModel(name: string): ManifestModel | undefined {
  return readManifest().find((model) => model.name === name)
}
