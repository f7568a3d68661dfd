/** Names what is not shown because the browser cannot read its file. PURE. */
import type { Layer } from '../../server/contract/composition.ts'
import { stage as messages } from '../messages/editor.ts'
import type { ClipView } from './open-clip.svelte.ts'
import { ITEM_LANES } from './timeline/items.ts'

type Shown = Pick<ClipView, 'edit' | 'editor' | 'preview'>

/** As the timeline calls it; layers that nodes add are called by their kind. */
function nameOfLayer(view: Shown, { id, kind }: Layer): string {
  const insert = ITEM_LANES.broll.read(view).find((item) => item.id === id)
  const overlay = ITEM_LANES.overlays.read(view).find((item) => id === `overlay:${item.id}`)
  if (insert !== undefined) return ITEM_LANES.broll.label(insert)
  if (overlay !== undefined) return ITEM_LANES.overlays.label(overlay)
  return id === 'watermark' ? messages.watermark : kind === 'video' ? messages.video : messages.picture
}

/** A sentence for each item, and what to do. `digests`: the files that the browser cannot read. */
export function describeUnreadable(view: Shown, digests: readonly string[]): string[] {
  const { source, layers } = view.preview.composition
  const sentences = digests.flatMap((digest) => {
    if (digest === source.digest) return [messages.unreadableSource]
    const shown = layers.filter(
      (layer) => (layer.kind === 'image' || layer.kind === 'video') && layer.asset.digest === digest,
    )
    if (shown.length === 0) return [messages.unreadableFont]
    return shown.map((layer) => messages.unreadable(nameOfLayer(view, layer), layer.kind === 'video'))
  })
  return [...new Set(sentences)]
}
