/** The parts of transformers.js' Whisper that we use; its own types do not describe them precisely. */
import type { AutomaticSpeechRecognitionPipeline, Tensor } from '@huggingface/transformers'

/** The part of the model object that we use. */
export interface ModelInside {
  readonly sessions: Readonly<Record<string, { readonly outputNames?: readonly string[] }>>
  readonly generation_config: {
    readonly alignment_heads?: unknown
    readonly is_multilingual?: boolean
    readonly lang_to_id?: Readonly<Record<string, number>>
    readonly task_to_id?: Readonly<Record<string, number>>
    readonly decoder_start_token_id?: number
    readonly eos_token_id?: number | readonly number[]
  } | null
  readonly config: {
    readonly max_source_positions: number
    readonly decoder_layers?: number
    readonly decoder_attention_heads?: number
  }
  generate(options: Readonly<Record<string, unknown>>): Promise<Tensor | Attended>
  /** Word times of one window: `outputs` has one row. */
  _extract_token_timestamps(
    outputs: Attended,
    alignmentHeads: unknown,
    frames: number,
    secondsAFrame: number,
    startTokens: number,
  ): Tensor
  (inputs: Readonly<Record<string, unknown>>): Promise<{ readonly logits: Tensor }>
}

export interface Attended {
  /** Rows of tokens. */
  readonly sequences: Tensor
  /** For each step and layer: rows, heads, positions in the text, positions in the sound. */
  readonly cross_attentions: readonly (readonly Tensor[])[]
  readonly past_key_values?: { dispose(): Promise<unknown> }
}

/** The part of the tokenizer that we use. */
export interface TokenizerInside {
  encode(text: string, options: { readonly add_special_tokens: boolean }): number[]
  _decode_asr(
    windows: readonly Readonly<Record<string, unknown>>[],
    options: Readonly<Record<string, unknown>>,
  ): readonly [string, { readonly chunks?: readonly Chunk[] }]
}

export interface Chunk {
  readonly text: string
  readonly timestamp: readonly [unknown, unknown]
}

export const insideOf = (recogniser: AutomaticSpeechRecognitionPipeline) => ({
  model: recogniser.model as unknown as ModelInside,
  tokenizer: recogniser.tokenizer as unknown as TokenizerInside,
})
