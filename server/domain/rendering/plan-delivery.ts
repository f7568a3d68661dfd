/** What the file of a delivery profile is made of: the clip as it is now, composed at the profile's size, rate and loudness. */
import type { Composition } from '../../contract/composition.ts'
import type { HdrTransfer } from '../../contract/colour-matrix.ts'
import { AppError, invalidRequest } from '../../contract/errors.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import type { Delivery, Profile } from '../../contract/profiles/profile.ts'
import { findProfile, PROFILES } from '../../contract/profiles/registry.ts'
import type { RenderRemark } from '../../contract/render-remarks.ts'
import type { SourceFacts } from '../../contract/source-facts.ts'
import type { Db } from '../../db/client.ts'
import { getRunClip, type RunClip } from '../../db/run-clips.ts'
import { sourceInput, type StageInvocation } from '../runs/plan/plan-draft.ts'
import { factsOfClip } from '../clips/get-clip.ts'
import type { HomeServices } from '../services.ts'
import { planHdr } from './hdr-delivery.ts'
import { planRender } from './render-clip.ts'

export interface PlannedDelivery {
  readonly composition: Composition
  /** As it was planned. */
  readonly clip: RunClip
  readonly warnings: readonly RenderRemark[]
}

/** Throws INVALID_REQUEST for a name that no profile has. */
export function requireProfile(name: string): Profile {
  const profile = findProfile(name)
  if (profile !== undefined) return profile
  const names = PROFILES.map((one) => one.name).join(', ')
  throw invalidRequest('profile', `There is no delivery profile "${name}"; there are ${names}.`)
}

/** A clip of any company. Throws CLIP_NOT_FOUND. */
export function requireHomeClip(db: Db, clipId: string): RunClip {
  return getRunClip(db, clipId) ?? noSuchClip(clipId)
}

function noSuchClip(clipId: string): never {
  throw new AppError('CLIP_NOT_FOUND', {
    message: `There is no clip "${clipId}" in this home.`,
    details: { clipId },
  })
}

/** Throws CLIP_NOT_FOUND, RENDER_FAILED when nothing is left of the clip, and PROFILE_UNAVAILABLE for HDR that the clip cannot be. */
export function planDelivery(services: HomeServices, clipId: string, profile: Profile): PlannedDelivery {
  const clip = requireHomeClip(services.db, clipId)
  const facts = factsOfClip(services, clip)
  if (facts === null) noSuchClip(clipId)
  const { composition, warnings } = planRender(services, clipId, profile.frameRate ?? undefined)
  return { composition: composeFor(profile, composition, hdrOf(profile, facts, composition)), clip, warnings }
}

function hdrOf(
  { name, colour }: Profile,
  { video }: SourceFacts,
  composition: Composition,
): HdrTransfer | undefined {
  if (colour !== 'hdr') return undefined
  const planned = planHdr(video, composition)
  if ('hdr' in planned) return planned.hdr
  throw new AppError('PROFILE_UNAVAILABLE', {
    message: `${name} cannot be made of this clip. ${planned.why}`,
    details: { profile: name, why: planned.why },
  })
}

/** The stage that makes the file. `encoder`: the one that was tried. */
export const exportInvocation = (
  { composition, clip }: PlannedDelivery,
  delivery: Delivery,
  encoder: string,
): StageInvocation => ({
  slot: 'export',
  stage: 'export',
  params: { composition, delivery, encoder },
  inputs: { source: sourceInput(clip.sourceDigest) },
})

/** The same clip at the size and the loudness of a profile. Everything drawn is in reference units, so it grows along. */
export function composeFor(
  { size, loudness }: Profile,
  composition: Composition,
  hdr?: HdrTransfer,
): Composition {
  const { output, audio } = composition
  const isQuiet = loudness === null || audio.integratedLufs === null
  return {
    ...composition,
    output: { ...output, ...sizeFor(size, output), ...omitUndefined({ hdr }) },
    audio: isQuiet ? audio : { ...audio, ...loudness },
  }
}

function sizeFor(size: Profile['size'], { width, height }: Composition['output']) {
  if (size === null) return { width, height }
  if ('shortSide' in size) {
    const scale = size.shortSide / Math.min(width, height)
    return { width: even(width * scale), height: even(height * scale) }
  }
  // Another shape is composed as it is, and fitted into the frame at the end.
  return width * size.height === height * size.width
    ? { width: size.width, height: size.height }
    : { width, height }
}

const even = (pixels: number): number => Math.max(2, Math.round(pixels / 2) * 2)
