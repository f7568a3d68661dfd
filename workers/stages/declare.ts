/** The shape of a stage declaration. PURE, safe for the server and the browser. */
import { Type, type Static, type TSchema } from '@sinclair/typebox'

/** `live`: for hours of mostly waiting for the network; such stages must not take the places of downloads. */
export type Lane = 'network' | 'live' | 'cpu' | 'gpu'

interface StageOptions<
  Name extends string = string,
  Params extends TSchema = TSchema,
  Output extends TSchema = TSchema,
  Inputs extends string = string,
> {
  readonly name: Name
  /** Raise it when the same input would give another result, so that old artefacts are not reused. */
  readonly version: number
  readonly lane: Lane
  /** What the stage does, for people: "Downloading the video". */
  readonly label: string
  readonly params: Params
  readonly output: Output
  /** Names of its inputs; the plan provides a reference for each one that applies. */
  readonly inputs: readonly Inputs[]
  readonly tools?: readonly ('ffmpeg' | 'ffprobe')[]
  /** Encodes a finished picture: it receives the encoder that works on this machine, and its result depends on it. */
  readonly encodes?: true
  /** Model tasks that it may load; the fingerprint of the installed model is part of the content key. */
  readonly models?: readonly string[]
  /**
   * `content`: an artefact with the same key is reused. `run`: only within the same run (for stages that use the network).
   * `never`: the output goes back to the caller and nothing is written to the disk; such a stage has no folder.
   */
  readonly reuse: 'content' | 'run' | 'never'
  /** An interrupted attempt leaves its `context.temporary` to the next one, even after a restart. */
  readonly resumes?: true
  /**
   * Where other machines do it, a source of several parts is shared by them: `into` is the stage that makes one part, and
   * this one joins them to the same result. `by`: the input whose output says `durationSeconds`; `seconds`: of one part.
   */
  readonly spread?: { readonly into: string; readonly by: Inputs; readonly seconds: number }
  /** Share of the run's progress bar, relative to other stages. */
  readonly weight: number
}

export interface StageDeclaration<
  Name extends string = string,
  Params extends TSchema = TSchema,
  Output extends TSchema = TSchema,
  Inputs extends string = string,
> extends StageOptions<Name, Params, Output, Inputs> {
  readonly tools: readonly ('ffmpeg' | 'ffprobe')[]
  readonly models: readonly string[]
}

export function declareStage<
  const Name extends string,
  Params extends TSchema,
  Output extends TSchema,
  const Inputs extends string,
>(options: StageOptions<Name, Params, Output, Inputs>): StageDeclaration<Name, Params, Output, Inputs> {
  return { tools: [], models: [], ...options }
}

/** `any`: private and loopback addresses are allowed, too; `loopback`: only this machine, and no name is looked up. */
export const Addresses = Type.Union([Type.Literal('any'), Type.Literal('public'), Type.Literal('loopback')])

export type ParamsOf<D> = D extends StageDeclaration<string, infer P> ? Static<P> : never
export type OutputOf<D> = D extends StageDeclaration<string, TSchema, infer O> ? Static<O> : never
export type InputsOf<D> = D extends StageDeclaration<string, TSchema, TSchema, infer I> ? I : never
