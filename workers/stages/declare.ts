/** The shape of a stage declaration; PURE, safe for the server and the browser. */
import type { Static, TSchema } from '@sinclair/typebox'

/** `live`: waits for a network most of the time, for hours; a place there is no place taken from downloads. */
export type Lane = 'network' | 'live' | 'cpu' | 'gpu'

export interface StageDeclaration<
  Name extends string = string,
  Params extends TSchema = TSchema,
  Output extends TSchema = TSchema,
  Inputs extends string = string,
> {
  readonly name: Name
  /** Raise it when the same input would now give another result: old artefacts are then not reused. */
  readonly version: number
  readonly lane: Lane
  /** What it is doing, for people: "Downloading the video". */
  readonly label: string
  readonly params: Params
  readonly output: Output
  /** Names of the inputs that it reads; the plan gives a reference for each that applies. */
  readonly inputs: readonly Inputs[]
  readonly tools: readonly ('ffmpeg' | 'ffprobe')[]
  /** Makes a finished picture: it is told the encoder that works on this machine, and its result depends on it. */
  readonly encodes?: true
  /** Model tasks it may load; the installed model's fingerprint is part of the key. */
  readonly models: readonly string[]
  /** `content`: an artefact with the same key is a hit. `run`: only within the same run (it talks to the outside). */
  readonly reuse: 'content' | 'run'
  /** An interrupted attempt leaves its `context.temporary` to the next one, also after a restart. */
  readonly resumes?: true
  /** Share of a run's progress bar, relative to the other stages. */
  readonly weight: number
}

export function declareStage<
  const Name extends string,
  Params extends TSchema,
  Output extends TSchema,
  const Inputs extends string,
>(
  declaration: StageDeclaration<Name, Params, Output, Inputs>,
): StageDeclaration<Name, Params, Output, Inputs> {
  return declaration
}

export type ParamsOf<D> = D extends StageDeclaration<string, infer P> ? Static<P> : never
export type OutputOf<D> = D extends StageDeclaration<string, TSchema, infer O> ? Static<O> : never
export type InputsOf<D> = D extends StageDeclaration<string, TSchema, TSchema, infer I> ? I : never
