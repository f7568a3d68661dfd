/** Choosing clips from the written talks of test/bench/talks, for the tables that measure it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClipCandidate } from '../../server/contract/clip-candidate.ts'
import { findClips, type FoundClips } from '../../workers/stages/find-clips/pure/find-clips.ts'
import {
  compareMeaning,
  listPreferences,
  textsToCompare,
  type Understood,
} from '../../workers/stages/find-clips/pure/meaning.ts'
import { splitSentences } from '../../workers/stages/find-clips/pure/sentences.ts'
import { PLAIN_SETTINGS } from '../support/topics.ts'
import { readTalk, type PlantedStory, type WrittenTalk } from './talks/read-talk.ts'

/** Vectors of length 1, one a text. */
export type Embed = (texts: readonly string[]) => Promise<Float32Array[]>

/** Weights and thresholds were set on the first half; the second was used for nothing but the tables. */
export const HALVES = ['tuned', 'held'] as const
export type Half = (typeof HALVES)[number]
/**
 * With shorter talks of more kinds and languages, written after the first and before the titles were mended: on the tuned
 * ones titles are tuned and lines were read to train them, the held ones are for the tables.
 */
export const ALL_PARTS = ['tuned', 'held', 'various-tuned', 'various-held'] as const
export type Part = (typeof ALL_PARTS)[number]
export const namePart = (part: Part): string => part.replace('-', ', ').replace('held', 'held out')

const FOLDER = join(import.meta.dirname, 'talks')
export const TALK_SETTINGS = { ...PLAIN_SETTINGS, minLength: 15, maxLength: 90, maxClips: 10 }
/** The shorter talks give fewer clips. */
export const mostClipsOf = (part: Part): number => (part.startsWith('various') ? 5 : TALK_SETTINGS.maxClips)
/** A clip is about a story from this share of it on. */
const ABOUT = 0.4

export interface NamedTalk {
  readonly name: string
  readonly talk: WrittenTalk
}

export const readPart = (part: Part): NamedTalk[] => readFolder(part)

/** Short talks, in which stories are told in two parts. */
export const readInterrupted = (half: Half): NamedTalk[] => readFolder(join('interrupted', half))

/** Talks with stories that are longer than a clip, in which each line says whether the pay-off needs it. */
export const readLong = (half: Half): NamedTalk[] => readFolder(join('long', half))

const readFolder = (folder: string): NamedTalk[] =>
  readdirSync(join(FOLDER, folder))
    .sort()
    .map((file) => ({
      name: file.replace('.txt', ''),
      talk: readTalk(readFileSync(join(FOLDER, folder, file), 'utf8')),
    }))

export const lengthOf = (talk: WrittenTalk): number => (talk.words.at(-1)?.end ?? 0) + 1
const sentencesOf = (talk: WrittenTalk) => splitSentences(talk.words, lengthOf(talk))

/** What a model of meaning says of the talk and the prompt; null without a model. */
export async function understand(
  talk: WrittenTalk,
  prompt: string,
  embed: Embed | null,
): Promise<Understood | null> {
  if (embed === null) return null
  const preferences = listPreferences({ ...TALK_SETTINGS, prompt })
  const sentences = sentencesOf(talk)
  return compareMeaning(sentences, preferences, await embed(textsToCompare(preferences, sentences)))
}

/** `understood`: of the same prompt; null to choose by words alone. */
export function chooseFrom(
  talk: WrittenTalk,
  prompt: string,
  understood: Understood | null,
  maxClips = TALK_SETTINGS.maxClips,
  maxLength = TALK_SETTINGS.maxLength,
): FoundClips {
  return findClips({
    words: talk.words,
    speakers: talk.speakers,
    language: talk.language,
    settings: { ...TALK_SETTINGS, prompt, maxClips, maxLength },
    durationSeconds: lengthOf(talk),
    ...understood,
  })
}

const overlapOf = (clip: ClipCandidate, { start, end }: PlantedStory): number =>
  Math.max(0, Math.min(clip.end, end) - Math.max(clip.start, start)) / (end - start)

export const isAbout = (clip: ClipCandidate | undefined, story: PlantedStory): boolean =>
  clip !== undefined && overlapOf(clip, story) >= ABOUT
