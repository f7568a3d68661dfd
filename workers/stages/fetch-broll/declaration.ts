import { Type } from '@sinclair/typebox'
import { declareStage } from '../declare.ts'
import { fetchAsset } from '../fetch-asset/declaration.ts'
import { ServiceAccess } from '../search-broll/declaration.ts'

/**
 * Fetches a picture or video that its service hands out to who has the right to it (`cutroom-broll:` addresses). One
 * that was fetched is never fetched again: such services count downloads.
 */
export const fetchBroll = declareStage({
  name: 'fetch-broll',
  version: 1,
  lane: 'network',
  label: 'Fetching b-roll',
  inputs: [],
  tools: ['ffmpeg', 'ffprobe'],
  models: [],
  reuse: 'content',
  weight: 1,
  params: Type.Object({
    provider: Type.Union([Type.Literal('youtube'), Type.Literal('getty')]),
    id: Type.String(),
    /** Null: it may not be asked, and `refusal` says why. */
    access: Type.Union([ServiceAccess, Type.Null()]),
    refusal: Type.String(),
    maxBytes: fetchAsset.params.properties.maxBytes,
    minFreeBytes: fetchAsset.params.properties.minFreeBytes,
    totalTimeoutSeconds: Type.Number(),
  }),
  output: fetchAsset.output,
})
