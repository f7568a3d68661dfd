/** The lines of the clips that are chosen from written talks, as they may become titles: for reading them, and for learning. */
import { rateLines, type RatedLine } from '../../../workers/stages/find-clips/pure/headline.ts'
import { judgeSentence } from '../../../workers/stages/find-clips/pure/judge-sentence.ts'
import { splitSentences } from '../../../workers/stages/find-clips/pure/sentences.ts'
import { findStories } from '../../../workers/stages/find-clips/pure/stories.ts'
import { termWeights } from '../../../workers/stages/find-clips/pure/text-tools.ts'
import {
  chooseFrom,
  lengthOf,
  mostClipsOf,
  readPart,
  understand,
  type Embed,
  type Part,
} from '../written-talks.ts'

export interface ClipLines {
  readonly talk: string
  readonly language: string
  /** Seconds, whole. */
  readonly at: number
  /** Best first. */
  readonly lines: readonly RatedLine[]
}

const LONGEST_CLIP = 90

export async function listClipLines(part: Part, embed: Embed | null): Promise<ClipLines[]> {
  const clips: ClipLines[] = []
  for (const { name, talk } of readPart(part)) {
    const { language } = talk
    const understood = await understand(talk, '', embed)
    const sentences = splitSentences(talk.words, lengthOf(talk))
    const judged = sentences.map((sentence) => judgeSentence(sentence, language))
    const { odds } = findStories(sentences, {
      language,
      events: [],
      vectors: understood?.vectors ?? null,
      maxLength: LONGEST_CLIP,
    })
    for (const { start, end } of chooseFrom(talk, '', understood, mostClipsOf(part)).candidates) {
      const places = sentences.flatMap((one, at) =>
        one.start >= start - 0.5 && one.end <= end + 0.5 ? [at] : [],
      )
      const first = places[0] ?? 0
      const to = (places.at(-1) ?? 0) + 1
      clips.push({
        talk: name,
        language,
        at: Math.round(start),
        lines: rateLines({
          sentences: sentences.slice(first, to),
          judged: judged.slice(first, to),
          idf: termWeights(judged.map(({ stems }) => stems)),
          inside: places.map((at) => (odds.ends[at] ?? 0) + (odds.goesOn[at] ?? 0)),
          language,
        }),
      })
    }
  }
  return clips
}
