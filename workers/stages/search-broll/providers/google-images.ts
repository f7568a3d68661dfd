/** Google Images by its Custom Search JSON API: only pictures marked as free for commercial use and modification. */
import { requestService, addressAt, listAt, objectAt, textAt, keyOf, type Searcher } from '../ask.ts'

const SERVICE = 'Google Images'
const RIGHTS = '(cc_publicdomain|cc_attribute|cc_sharealike).-(cc_noncommercial|cc_nonderived)'
const DRAWN = /^image\/(?:png|jpeg|webp|gif)$/u

export const searchGoogleImages: Searcher = async ({ access, query, most, signal }) => {
  const answer = await requestService(
    access,
    {
      service: SERVICE,
      path: '/customsearch/v1',
      query: {
        key: keyOf(access, 'key'),
        cx: keyOf(access, 'engine'),
        q: query,
        num: String(most),
        searchType: 'image',
        imgType: 'photo',
        imgSize: 'xlarge',
        safe: 'active',
        rights: RIGHTS,
      },
    },
    signal,
  )
  return listAt(answer, 'items').flatMap((item) => {
    const url = addressAt(item, 'link')
    const mime = textAt(item, 'mime')
    if (url === '' || (mime !== '' && !DRAWN.test(mime))) return []
    const name = textAt(item, 'title') || query
    const page = addressAt(objectAt(item, 'image'), 'contextLink')
    const credit = [textAt(item, 'displayLink'), page].filter((part) => part !== '').join(', ')
    return [{ id: url, kind: 'image', url, name, durationSeconds: null, credit }]
  })
}
