/** What turns windows of sound into words: a local model (local-decoder.ts), or a server (server-decoder.ts). */
import type { Provider } from '../../../server/contract/inference.ts'
import type { DecodedWindow } from './pure/decoded.ts'
import type { Prompt } from './pure/prompt.ts'

export interface SpeechDecoder {
  /** For the record of the run. */
  readonly name: string
  /** What its words depend on besides the name, language and prompt. Written to disk: it holds no secret. */
  readonly setup: string
  /** What the model runs on; absent: another machine. */
  readonly provider?: Provider
  /** How many windows are decoded at once. */
  readonly together: number
  /** A prompt with as many of the keywords as fit. */
  prompt(keywords: readonly string[]): Prompt
  /** The most likely language of 16 kHz mono samples, as an ISO 639 code; `und`: it cannot say. */
  detectLanguage(samples: Float32Array): Promise<string>
  /** Words or segments of each window: at most 30 s of 16 kHz mono samples. */
  decode(
    windows: readonly Float32Array[],
    language: string,
    prompt: Prompt,
  ): Promise<Pick<DecodedWindow, 'pieces' | 'words' | 'doubtful'>[]>
}

/** A decoder that is known to be there, and is opened when there is speech. */
export interface DecoderSource {
  readonly name: string
  open(): Promise<SpeechDecoder>
}
