import { assetNeed } from '../pictures/asset.ts'
import { declareOverridePart } from './declare.ts'

/** A designed thumbnail: nothing of the clip itself. What it draws is in compose/thumbnail-design.ts. */
export const manualThumbnail = declareOverridePart({
  name: 'thumbnail',
  check({ items }) {
    const ids = new Set<string>()
    for (const [index, { id }] of items.entries()) {
      if (ids.has(id))
        return { path: `thumbnail.items.${index}.id`, expected: 'an id that no other item has' }
      ids.add(id)
    }
    return null
  },
  assets: ({ items }) =>
    items.flatMap((item) => (item.kind === 'picture' ? assetNeed(item.url, 'image') : [])),
})
