/** YouTube by its Data API: short videos under Creative Commons, whose author is named. yt-dlp downloads them. */
import { brollAddress } from '../../../../server/contract/clip-broll.ts'
import { requestService, listAt, objectAt, textAt, withoutEntities, keyOf, type Searcher } from '../ask.ts'

const SERVICE = 'YouTube'
const VIDEO_ID = /^[A-Za-z0-9_-]{11}$/u

export const searchYoutube: Searcher = async ({ access, query, most, signal }) => {
  const answer = await requestService(
    access,
    {
      service: SERVICE,
      path: '/youtube/v3/search',
      query: {
        key: keyOf(access, 'key'),
        q: query,
        maxResults: String(most),
        part: 'snippet',
        type: 'video',
        videoLicense: 'creativeCommon',
        videoDuration: 'short',
        safeSearch: 'strict',
      },
    },
    signal,
  )
  return listAt(answer, 'items').flatMap((item) => {
    const id = textAt(objectAt(item, 'id'), 'videoId')
    if (!VIDEO_ID.test(id)) return []
    const snippet = objectAt(item, 'snippet')
    const name = withoutEntities(textAt(snippet, 'title')) || query
    const maker = withoutEntities(textAt(snippet, 'channelTitle'))
    const credit = `${maker}, https://www.youtube.com/watch?v=${id}, CC BY`
    return [{ id, kind: 'video', url: brollAddress('youtube', id), name, durationSeconds: null, credit }]
  })
}
