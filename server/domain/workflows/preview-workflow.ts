/** A workflow that is being written, on a clip that is there: composed as a run would, and nothing is stored. */
import { existsSync } from 'node:fs'
import { storedFileDigest, type AssetNeed, type Assets, type AssetState } from '../../contract/asset.ts'
import type { ClipDocument } from '../../contract/clip.ts'
import type { SourceFacts } from '../../contract/source-facts.ts'
import type { StudioWorkflowDraft, StudioWorkflowPreview } from '../../contract/studio-workflow.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import { getClipTranscript } from '../../db/clips.ts'
import { listItems } from '../../db/library.ts'
import {
  compileComposition,
  editableConfigs,
  requiredAssets,
  resolveNodes,
  shortAddress,
  withBrandKits,
  withPlayedTimes,
} from '../../nodes/index.ts'
import { sourcePath } from '../../../workers/artefacts.ts'
import { fileAddresses, requireFacts, type ClipAddress } from '../clips/editor.ts'
import { requireClip } from '../clips/get-clip.ts'
import { brandKitLooks } from '../library/brand-kits.ts'
import { mediaAddresses } from '../rendering/register-media.ts'
import { fetchedFor } from '../rendering/render-clip.ts'
import { assetsOf } from '../runs/plan/plan-assets.ts'
import { renderKeyOf } from '../runs/plan/plan-clips.ts'
import type { Services } from '../services.ts'
import { SAMPLE_DOCUMENT, SAMPLE_FACTS, SAMPLE_WORDS } from './sample-clip.ts'
import { sentencesOf } from '../../contract/render-remarks.ts'

/** Where the bundled sample's file is read. */
const SAMPLE_VIDEO = '/studio/workflow-sample'

type Deps = Omit<Services, 'jobs'>
type Request = Omit<ClipAddress, 'clipId'> & StudioWorkflowDraft

interface Shown {
  readonly document: ClipDocument
  readonly words: readonly TranscriptWord[]
  readonly facts: SourceFacts
  readonly source: StudioWorkflowPreview['source']
  readonly fetched: (needs: readonly AssetNeed[]) => Assets
}

/**
 * What a clip would be, had this workflow made it: without what an editor has set on it. Files that no run has fetched yet
 * are left out, with a warning. INVALID_NODE_CONFIG, CLIP_NOT_FOUND.
 */
export function previewWorkflow(services: Deps, input: Request): StudioWorkflowPreview {
  const { nodes: set, warnings } = resolveNodes({ nodes: input.nodes, edges: input.edges }, [])
  const nodes = withBrandKits(set, brandKitLooks(services, input.companyId))
  const shown = input.clipId === undefined ? SAMPLE : clipShown(services, { ...input, clipId: input.clipId })
  const { words, facts } = shown
  const made = { ...asFound(shown.document), ...editableConfigs(nodes, shown.document.clipHash), nodes }
  const document = withPlayedTimes({ document: made, words, facts })
  const needs = requiredAssets(document)
  const assets: Assets = new Map([
    ...libraryPictures(services, input.companyId, needs),
    ...shown.fetched(needs),
  ])
  const compiled = compileComposition({ document, words: [...words], facts, assets })
  const missing = needs.filter(({ url }) => !assets.has(url)).map(({ url }) => shortAddress(url))
  return {
    composition: compiled.composition,
    duration: document.duration,
    renderKey: renderKeyOf(compiled.composition),
    warnings: [
      ...warnings,
      // Of the sample they would say what was not measured of it.
      ...(input.clipId === undefined ? [] : sentencesOf(compiled.warnings)),
      ...[...new Set(missing)].map((name) => `${name} is shown here once a run has fetched it.`),
    ],
    files: fileAddresses(services, { ...input, assets }),
    source: shown.source,
    uncutSeconds: document.endTimestamp - document.startTimestamp,
  }
}

const SAMPLE: Shown = {
  document: SAMPLE_DOCUMENT,
  words: SAMPLE_WORDS,
  facts: SAMPLE_FACTS,
  source: { url: SAMPLE_VIDEO, startSeconds: 0 },
  fetched: () => new Map(),
}

function clipShown(services: Deps, address: ClipAddress): Shown {
  const clip = requireClip(services, address)
  const { document } = clip
  const { extended } = document.media
  const url = mediaAddresses(services, address.baseUrl, [extended])(extended)
  return {
    document,
    words: getClipTranscript(services.db, clip.id)?.words ?? [],
    facts: requireFacts(services, clip),
    source: {
      url: document.extended.uncut === true ? null : (url ?? null),
      startSeconds: document.extended.fileStart,
    },
    fetched: (needs) => assetsOf(needs, fetchedFor(services, needs, clip)),
  }
}

/** The clip without what nodes and editors have set. */
function asFound(document: ClipDocument): ClipDocument {
  const {
    subtitleConfig: _subtitle,
    subtitleId: _style,
    titleConfig: _title,
    watermarkConfig: _watermark,
    backgroundMusicOption: _music,
    endCardOption: _card,
    motionConfig: _motion,
    deliveryConfig: _delivery,
    soundConfig: _sound,
    overrides: _overrides,
    cuts: _cuts,
    ...found
  } = document
  return { ...found, segments: [] }
}

/** Pictures of the company's library need no fetching: the browser draws them from their files. */
function libraryPictures(
  services: Deps,
  companyId: string,
  needs: readonly AssetNeed[],
): [string, AssetState][] {
  const wanted = needs.flatMap(({ url }) => {
    const digest = storedFileDigest(url)
    return digest === null ? [] : [{ url, digest }]
  })
  if (wanted.length === 0) return []
  const items = new Map(listItems(services.db, companyId).map((item) => [item.digest, item]))
  return wanted.flatMap(({ url, digest }): [string, AssetState][] => {
    const item = items.get(digest)
    if (item?.kind !== 'image' || !existsSync(sourcePath(services.home.sources, digest))) return []
    const { width, height } = item
    return [[url, { state: 'ready', kind: 'image', picture: { digest, width, height, opaque: false } }]]
  })
}
