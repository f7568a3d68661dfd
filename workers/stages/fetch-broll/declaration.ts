import { Type } from '@sinclair/typebox'
import { declareStage } from '../declare.ts'
import { fetchAsset } from '../fetch-asset/declaration.ts'
import { ServiceAccess } from '../search-broll/declaration.ts'

/** Fetches a licensed picture or video (`cutroom-broll:` addresses), only once because services count downloads. */
export const fetchBroll = declareStage({
  name: 'fetch-broll',
  version: 1,
  lane: 'network',
  label: 'Fetching b-roll',
  inputs: [],
  tools: ['ffmpeg', 'ffprobe'],
  reuse: 'content',
  weight: 1,
  params: Type.Object({
    provider: Type.Union([Type.Literal('youtube'), Type.Literal('getty')]),
    id: Type.String(),
    /** Null: the service may not be used, and `refusal` says why. */
    access: Type.Union([ServiceAccess, Type.Null()]),
    refusal: Type.String(),
    maxBytes: fetchAsset.params.properties.maxBytes,
    minFreeBytes: fetchAsset.params.properties.minFreeBytes,
    totalTimeoutSeconds: Type.Number(),
  }),
  output: fetchAsset.output,
})
