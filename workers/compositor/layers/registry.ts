/** Layer kind to the function that lays it out. The compiler checks that no kind is missing. */
import type { Layer } from '../../../server/contract/composition.ts'
import { prepareAudiogram } from './audiogram.ts'
import { prepareCaptions } from './captions.ts'
import { prepareImage } from './image.ts'
import { prepareKeyed } from './keyed.ts'
import type { LayoutContext, PreparedLayer } from './layer.ts'
import { prepareShape } from './shape.ts'
import { prepareTitle } from './title.ts'
import { prepareVideo } from './video.ts'
import { isMoved } from '../video-place.ts'

type Preparers = {
  readonly [Kind in Layer['kind']]: (
    layer: Extract<Layer, { kind: Kind }>,
    context: LayoutContext,
  ) => PreparedLayer
}

const PREPARERS: Preparers = {
  captions: prepareCaptions,
  title: prepareTitle,
  image: prepareImage,
  video: prepareVideo,
  audiogram: prepareAudiogram,
  shape: prepareShape,
}

export function prepareLayer(layer: Layer, context: LayoutContext): PreparedLayer {
  const isKeyed = (layer.keyframes ?? []).length > 0
  // ffmpeg lays it over the picture, between pixels where it moves: it is not laid out anew, but knows its own way.
  if (layer.kind === 'video' && isMoved(layer)) return prepareStill(layer, context)
  return isKeyed ? prepareKeyed(layer, context, prepareStill) : prepareStill(layer, context)
}

function prepareStill(layer: Layer, context: LayoutContext): PreparedLayer {
  // The registry's type ties each kind to its own preparer; the compiler cannot follow that through a union.
  const prepare = PREPARERS[layer.kind] as (layer: Layer, context: LayoutContext) => PreparedLayer
  return prepare(layer, context)
}
