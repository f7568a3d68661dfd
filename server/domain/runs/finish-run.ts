/**
 * Makes the clips of a run: each once, unlisted, when it was found and measured. Their files are registered when they are
 * finished, and publish-clips.ts lists them.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AssetNeed } from '../../contract/asset.ts'
import type { ClipCandidate } from '../../contract/clip-candidate.ts'
import type { ClipChunk, ClipDocument, ClipMedia } from '../../contract/clip.ts'
import {
  withSpeakers,
  type ClipFaces,
  type ClipLogos,
  type ClipSound,
  type RangeSpeakers,
} from '../../contract/clip-measurements.ts'
import { refuse } from '../../contract/errors.ts'
import type { SourceFacts } from '../../contract/source-facts.ts'
import type { Transcript, TranscriptWord } from '../../contract/transcript.ts'
import type { RunPick } from '../../db/picks.ts'
import { getRunClip, insertRunClips, listRunClips, type RunClip } from '../../db/run-clips.ts'
import { addRunWarnings, listRunStages, type Run } from '../../db/runs.ts'
import { newId } from '../../ids.ts'
import {
  compileComposition,
  neededMeasurements,
  newClipDocument,
  requiredAssets,
  withPlayedTimes,
} from '../../nodes/index.ts'
import { artefactFolder, digestOf } from '../../../workers/artefacts.ts'
import type { StageName, Stages } from '../../../workers/stages/catalog.ts'
import type { OutputOf } from '../../../workers/stages/declare.ts'
import { createBrollChooser, createSecondVideoChooser } from './plan/choose-broll.ts'
import { measureSound } from './measure-sound.ts'
import { assetsOf } from './plan/plan-assets.ts'
import { clipSlot, extendedRange } from './plan/plan-clips.ts'
import { type FinishedStage, type SlotResult, type SlotResults, slotIn } from './plan/plan-draft.ts'
import { foundLogos } from './plan/plan-detections.ts'
import { segmentsOfRanges } from './plan/plan-picks.ts'
import { candidatesOf } from './plan/plan-run.ts'
import type { PlannedClip } from './plan/plan-input.ts'
import { extensionOf, registerMedia } from '../rendering/register-media.ts'
import { fileStem } from '../rendering/file-names.ts'
import { speakerNames } from '../transcripts/transcript-files.ts'
import { readVoices, recogniseVoices } from '../voices/recognise.ts'
import type { Services } from '../services.ts'
import { SPEAKERS_SLOT, wordsOfRun } from './plan/plan-transcript.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { sentencesOf } from '../../contract/render-remarks.ts'

type Deps = Omit<Services, 'jobs'>

/** Output and content key of a finished stage; null when the run continued without it. */
export function finished<Name extends StageName>(
  results: SlotResults,
  slot: string,
  _stage: Name,
): FinishedStage<Name> | null {
  const result = results.get(slot)
  return result?.state === 'finished'
    ? { output: result.output as OutputOf<Stages[Name]>, key: result.key }
    : null
}

/** The same for a stage without which there is no clip. Throws INTERNAL when it has not finished. */
export function requireFinished<Name extends StageName>(results: SlotResults, slot: string, stage: Name) {
  return finished(results, slot, stage) ?? refuse('INTERNAL', `the run has no result of ${slot}`)
}

/** The transcript of a run; null when it has none. */
async function readTranscript(services: Deps, results: SlotResults): Promise<Transcript | null> {
  const words = wordsOfRun(results)
  if (words === null) return null
  const folder = artefactFolder(services.home.artefacts, words.stage, words.key)
  return JSON.parse(await readFile(join(folder, words.output.transcriptFile), 'utf8')) as Transcript
}

/** The face tracks of a clip; null where faces were not detected. */
async function readFaces(services: Deps, results: SlotResults, ordinal: number): Promise<ClipFaces | null> {
  const stage = finished(results, clipSlot(ordinal, 'faces'), 'faces')
  if (stage === null) return null
  const read = async (name: StageName, key: string, file: string): Promise<unknown> =>
    JSON.parse(await readFile(join(artefactFolder(services.home.artefacts, name, key), file), 'utf8'))
  const [faces = null] = (await read('faces', stage.key, stage.output.file)) as ClipFaces[]
  const joined = finished(results, clipSlot(ordinal, 'active-speaker'), 'active-speaker')
  if (joined === null || faces === null) return faces
  const [speakers = null] = (await read('active-speaker', joined.key, joined.output.file)) as RangeSpeakers[]
  return withSpeakers(faces, speakers)
}

/**
 * The transcript of the whole source (of its chunk, for a clip of a livestream); null when the run has none, or its file
 * is missing.
 */
export async function readRunTranscript(
  services: Deps,
  runId: string,
  chunkIndex: number | undefined,
): Promise<Transcript | null> {
  const results = new Map<string, SlotResult>()
  const prefix = slotIn(chunkIndex, '')
  for (const { slot, state, key, output, failure } of listRunStages(services.db, runId))
    if (state === 'finished' && slot.startsWith(prefix))
      results.set(slot.slice(prefix.length), { state, key, output, failure })
  try {
    return await readTranscript(services, results)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** A source of a run: the results of its stages, and its place in the recording, if it is a chunk of one. */
export interface ClipSource {
  readonly results: SlotResults
  readonly chunk: ClipChunk | null
  /** What was picked from it; null: what the workflow finds. */
  readonly pick: RunPick | null
}

/** The clips of one source of a run, in the order in which they were found. */
export function clipsOfSource(
  { db }: Pick<Deps, 'db'>,
  run: Pick<Run, 'id'>,
  { chunk, pick }: Pick<ClipSource, 'chunk' | 'pick'>,
): RunClip[] {
  return listRunClips(db, run.id).filter(
    (clip) => clip.document.chunk?.index === chunk?.index && clip.pick === (pick?.number ?? 0),
  )
}

/**
 * Drafts these clips of a run's source, by ordinal: the first call inserts their rows; every later one, also after a
 * crash, finds the same clips with the same ids. Returns the files that each needs.
 */
export async function draftRunClips(
  services: Deps,
  run: Run,
  source: ClipSource,
  ordinals: readonly number[],
): Promise<Map<number, AssetNeed[]>> {
  const { results, chunk, pick } = source
  const facts = requireFinished(results, 'probe', 'probe').output
  const transcript = withCorrections(services, pick, await readTranscript(services, results))
  const voices = readVoices(services, results.get(SPEAKERS_SLOT))
  const recognised = recogniseVoices(services, run.companyId, voices)
  const ingest = requireFinished(results, 'ingest', 'ingest').output
  const measures = neededMeasurements(run.snapshot.nodes)
  const audio = measures.has('sound-levels') ? finished(results, 'audio', 'audio') : null
  const broll = createBrollChooser(services, run, results)
  const second = createSecondVideoChooser(services, run)
  const candidates = candidatesOf(results)
  const making = ordinals.map(async (ordinal) => {
    const candidate = candidates[ordinal] ?? refuse('INTERNAL', `there is no candidate ${ordinal}`)
    const extended = extendedRange(candidate, facts)
    const within = transcript === null ? null : { ...transcript, words: wordsIn(transcript.words, extended) }
    const document = draftDocument(run, {
      candidate,
      ordinal,
      facts,
      extended,
      transcript: within,
      digest: ingest.digest,
      chunk,
      pick,
      sound: audio === null ? null : await measureSound(services, audio, extended, transcript),
      faces: measures.has('faces') ? await readFaces(services, results, ordinal) : null,
      logos: measures.has('logos') ? foundLogos(results) : null,
      names: recognised.names,
    })
    const words = within?.words ?? []
    const played = withPlayedTimes({ document, words, facts })
    const covered = broll?.choose(played, words, facts) ?? played
    const chosen = second?.choose(covered) ?? covered
    const features = candidate.features ?? null
    return { id: newId(), ordinal, pick: pick?.number ?? 0, document: chosen, transcript: within, features }
  })
  const made = await Promise.all(making)
  insertRunClips(services.db, run, made, services.now())
  const clips = clipsOfSource(services, run, source)
  const all = clips.length < candidates.length ? [] : clips.map(({ document }) => document)
  const choices = [...(broll?.warnings(all) ?? []), ...(second?.warnings ?? [])]
  addRunWarnings(services.db, run.id, [...recognised.warnings, ...choices])
  return neededFiles(clips)
}

/** The files that each clip needs, by ordinal. */
export const neededFiles = (clips: readonly RunClip[]): Map<number, AssetNeed[]> =>
  new Map(clips.map(({ ordinal, document }) => [ordinal, requiredAssets(document)]))

/** The words of a merged clip are those of its parts as they were corrected there. */
function withCorrections(
  { db }: Deps,
  pick: RunPick | null,
  transcript: Transcript | null,
): Transcript | null {
  if (pick?.request.kind !== 'merge' || transcript === null) return transcript
  const parts = pick.request.clipIds.flatMap((id) => getRunClip(db, id) ?? [])
  const isIn = ({ start, end }: TranscriptWord, { document }: RunClip): boolean =>
    end > document.startTimestamp && start < document.endTimestamp
  const others = transcript.words.filter((word) => !parts.some((part) => isIn(word, part)))
  // A word that two parts share is taken from the first of them.
  const own = parts.flatMap((part, place) =>
    part.words.filter((word) => isIn(word, part) && !parts.slice(0, place).some((one) => isIn(word, one))),
  )
  return { ...transcript, words: [...others, ...own].sort((a, b) => a.start - b.start) }
}

/** These drafted clips with their compositions, ready to be planned. Adds the compositions' warnings to the run. */
export function makeRunClips(
  services: Deps,
  run: Run,
  source: ClipSource,
  ordinals: readonly number[],
): PlannedClip[] {
  const { results } = source
  const facts = requireFinished(results, 'probe', 'probe').output
  const clips = clipsOfSource(services, run, source).filter(({ ordinal }) => ordinals.includes(ordinal))
  const warnings: string[] = []
  const planned = clips.map((clip) => {
    const assets = assetsOf(requiredAssets(clip.document), results)
    const compiled = compileComposition({ document: clip.document, words: [...clip.words], facts, assets })
    warnings.push(...sentencesOf(compiled.warnings))
    const { extended } = clip.document
    const { composition } = compiled
    const { faces } = clip.document
    const known = omitUndefined({ faces, speakers: givenNames(clip) })
    return {
      id: clip.id,
      ordinal: clip.ordinal,
      extended,
      composition,
      warnings: compiled.warnings,
      ...known,
    }
  })
  addRunWarnings(services.db, run.id, warnings)
  return planned
}

/** Names by number for the clip's transcript files; undefined where none of its speakers has one. */
function givenNames({ document, words }: RunClip): string[] | undefined {
  const names = speakerNames(words, document.speakers)
  return names?.some((name, number) => name !== `Speaker ${number + 1}`) === true ? names : undefined
}

const wordsIn = (words: readonly TranscriptWord[], range: { start: number; end: number }): TranscriptWord[] =>
  words.filter((word) => word.end > range.start && word.start < range.end)

interface DocumentParts {
  readonly candidate: ClipCandidate
  readonly ordinal: number
  readonly facts: SourceFacts
  readonly extended: { start: number; end: number }
  readonly transcript: Transcript | null
  readonly digest: string
  readonly chunk: ClipChunk | null
  readonly pick: RunPick | null
  readonly sound: ClipSound | null
  readonly faces: ClipFaces | null
  readonly logos: ClipLogos | null
  /** Of speakers whose voices were named, by number. */
  readonly names: ReadonlyMap<number, string>
}

function draftDocument(run: Run, parts: DocumentParts): ClipDocument {
  const { candidate, ordinal, facts, extended, transcript, digest, chunk, pick, sound, faces, logos, names } =
    parts
  const words = transcript?.words ?? []
  const { start, end } = candidate
  const speakers = [...new Set(words.flatMap((word) => word.speaker ?? []))].sort((a, b) => a - b)
  const document = newClipDocument({
    candidate,
    facts,
    nodes: run.snapshot.nodes,
    sourceDigest: digest,
    originalUrl: run.snapshot.originalUrl,
    sourceInputId: digestOf({ run: run.id, input: run.snapshot.originalUrl }).slice(0, 32),
    taskId: digestOf({
      run: run.id,
      ...(chunk === null ? {} : { chunk: chunk.index }),
      ...(pick === null ? {} : { pick: pick.number }),
      clip: ordinal,
    }).slice(0, 32),
    // Stable over runs: the same stretch of the same source with the same words is the same clip.
    clipHash: digestOf({
      digest,
      start,
      end,
      words: words.map((word) => word.word),
      ...omitUndefined({ leftOut: candidate.leftOut }),
    }),
    extended,
    ...(transcript === null ? {} : { language: transcript.language }),
    ...(sound === null ? {} : { sound }),
    ...(faces === null ? {} : { faces }),
    ...(logos === null ? {} : { logos }),
    speakers: speakers.map(
      (speaker) => transcript?.speakers?.[speaker] ?? names.get(speaker) ?? `Speaker ${speaker + 1}`,
    ),
  })
  const merged = pick?.request.kind === 'merge' ? { segments: segmentsOfRanges(pick.request.ranges) } : {}
  return { ...document, ...merged, ...(chunk === null ? {} : { chunk }) }
}

/** A readable file name for a clip's addresses. */
const clipStem = (title: string, ordinal: number): string => fileStem(title, `clip-${ordinal + 1}`)

/** Registers a file of a finished stage; returns its media id. */
export function registerArtefact(
  services: Deps,
  file: {
    companyId: string
    /** The clip whose alone the address is; absent: the company's. */
    clipId?: string
    stage: StageName
    key: string
    file: string
    name: string
    mediaType: string
  },
): string {
  const path = join('artefacts', file.stage, file.key.slice(0, 2), file.key, file.file)
  const { companyId, clipId, name, mediaType } = file
  return registerMedia(services, { companyId, path, name, mediaType, ...omitUndefined({ clipId }) })
}

/** The files of a finished clip as media ids. */
export function clipMedia(services: Deps, run: Run, clip: RunClip, results: SlotResults): ClipMedia {
  const { companyId } = run
  const { id: clipId, ordinal } = clip
  const { title } = clip.document
  const stem = clipStem(title, ordinal)
  const add = (stage: StageName, key: string, file: string, name: string, mediaType: string) =>
    registerArtefact(services, { companyId, clipId, stage, key, file, name, mediaType })
  const slot = (stage: Parameters<typeof clipSlot>[1]) => clipSlot(ordinal, stage)

  const ingest = requireFinished(results, 'ingest', 'ingest').output
  const cut = requireFinished(results, slot('cut'), 'cut')
  const { mediaType: cutType, ending: cutEnding } = cutFile(requireFinished(results, 'probe', 'probe').output)
  const thumbnail = finished(results, slot('thumbnail'), 'thumbnail')
  const words = finished(results, slot('transcript-file'), 'transcript-file')
  const peaks = finished(results, 'peaks', 'peaks')
  const addWords = (file: string, ending: string, type: string) =>
    add('transcript-file', words?.key ?? '', file, `${stem}.${ending}`, type)
  return {
    source: registerSource(services, { companyId, clipId }, ingest),
    extended: add('cut', cut.key, cut.output.file, `${stem}-extended${cutEnding}`, cutType),
    ...(thumbnail === null
      ? {}
      : { thumbnail: registerThumbnail(services, { companyId, id: clipId, ordinal, title }, thumbnail) }),
    ...(words === null
      ? {}
      : {
          transcript: addWords(words.output.jsonFile, 'json', 'application/json'),
          transcriptSrt: addWords(words.output.srtFile, 'srt', 'application/x-subrip'),
          transcriptVtt: addWords(words.output.vttFile, 'vtt', 'text/vtt'),
        }),
    ...(peaks === null
      ? {}
      : { peaks: add('peaks', peaks.key, peaks.output.file, 'peaks.dat', 'application/octet-stream') }),
  }
}

/** Registers the file of a run's source, for the run or one of its clips; returns its media id. Throws when it is not there. */
export function registerSource(
  services: Pick<Deps, 'db' | 'home' | 'now'>,
  owner: { readonly companyId: string; readonly clipId?: string },
  {
    digest,
    mediaType,
    displayName,
  }: Pick<OutputOf<Stages['ingest']>, 'digest' | 'mediaType' | 'displayName'>,
): string {
  const name = clipStem(displayName.replace(/\.[^.]*$/, ''), 0) + extensionOf(mediaType)
  const path = join('sources', digest.slice(0, 2), digest)
  return registerMedia(services, { ...owner, path, name, mediaType })
}

/** Media type and file ending of an extended cut: that of a source without a picture is audio. */
export function cutFile(facts: SourceFacts): { mediaType: string; ending: string } {
  return facts.video === null
    ? { mediaType: 'audio/mp4', ending: '.m4a' }
    : { mediaType: 'video/mp4', ending: '.mp4' }
}

const imageType = (file: string): string =>
  file.endsWith('.png') ? 'image/png' : file.endsWith('.webp') ? 'image/webp' : 'image/jpeg'

/** The fields of a clip that names of its files are made of. */
type NamedClip = Pick<RunClip, 'companyId' | 'id' | 'ordinal'> & { readonly title: string }

/** Registers the file of a thumbnail stage; returns its media id. */
export function registerThumbnail(
  services: Deps,
  { companyId, id: clipId, ordinal, title }: NamedClip,
  { key, output: { file } }: FinishedStage<'thumbnail'>,
): string {
  const about = { companyId, clipId, stage: 'thumbnail' as const, key, file, mediaType: imageType(file) }
  return registerArtefact(services, { ...about, name: `${clipStem(title, ordinal)}.jpg` })
}

/** Registers the file of a render stage, without its still; returns its media id. */
export function registerRenderFile(
  services: Deps,
  { companyId, id: clipId, ordinal, title }: NamedClip,
  { key, output: { file } }: Pick<FinishedStage<'render'>, 'key' | 'output'>,
): string {
  const name = `${clipStem(title, ordinal)}.mp4`
  return registerArtefact(services, {
    companyId,
    clipId,
    stage: 'render',
    key,
    file,
    name,
    mediaType: 'video/mp4',
  })
}

/** Registers the files of a render stage; returns their media ids. */
export function registerRender(
  services: Deps,
  clip: NamedClip,
  rendered: FinishedStage<'render'>,
): { renderedMedia: string; renderedThumbnailMedia: string } {
  const { companyId, id: clipId, ordinal, title } = clip
  const { key, output } = rendered
  const { thumbnailFile } = output
  const stem = clipStem(title, ordinal)
  const common = { companyId, clipId, stage: 'render' as const, key }
  const still = { file: thumbnailFile, name: `${stem}-rendered.jpg`, mediaType: imageType(thumbnailFile) }
  return {
    renderedMedia: registerRenderFile(services, clip, rendered),
    renderedThumbnailMedia: registerArtefact(services, { ...common, ...still }),
  }
}
