/** Reads the transcript and asks the user's language model about stories that are longer than a clip may be. */
import type { StageHandler } from '../context.ts'
import { requestAnswer } from '../judge-clips/ask-model.ts'
import { readTranscript } from '../read-results.ts'
import { readTalk } from './pure/story-window.ts'
import { shortenStories } from './shorten.ts'

const TICK_MS = 1000

export const runShortenStories: StageHandler<'shorten-stories'> = async (context, params) => {
  const { candidates, settings, durationSeconds, access } = params
  const transcript = await readTranscript(context)
  const talk = readTalk({
    words: transcript.words,
    speakers: transcript.speakers ?? [],
    language: transcript.language,
    settings,
    durationSeconds,
  })
  const started = performance.now()
  // For all requests together.
  const limit = AbortSignal.timeout(access.timeoutSeconds * 1000)
  const tick = setInterval(() => {
    const share = (performance.now() - started) / 1000 / access.timeoutSeconds
    context.progress(Math.min(0.95, share), 'Shortening long stories')
  }, TICK_MS)
  try {
    const { failure, ...output } = await shortenStories(talk, candidates, {
      model: access.model,
      ask: (question) => requestAnswer(access, question, limit, context.signal),
    })
    if (failure !== null)
      context.warn(
        `The language model ${access.model} was of no help with stories that are longer than a clip: ${failure} The clips that it was not asked about stay as they are.`,
      )
    return output
  } finally {
    clearInterval(tick)
  }
}
