/** Decides by its first bytes whether a file may be of the needed kind, and how large it may then be. PURE. */
import type { AssetKind } from '../../../../server/contract/asset.ts'
import { sniff } from '../../ingest/pure/media-type.ts'
import { fontHead } from './font-head.ts'
import { pictureHead } from './picture-head.ts'

export type JudgedHead =
  /** `limit` names the size limit; `unsure`: ffprobe decides what it is. */
  | { readonly kind: 'picture' | 'media' | 'font' | 'unsure'; readonly limit: 'image' | 'video' | 'audio' }
  /** Sentence for users that says why it cannot be used. */
  | { readonly kind: 'refused'; readonly why: string }

const NEEDED = { video: 'a video', audio: 'a sound', media: 'a picture or a video' } as const

/** Judges the first SNIFF_BYTES, or the whole file if it is shorter. */
export function judgeHead(head: Uint8Array, wanted: AssetKind): JudgedHead {
  if (wanted === 'font') {
    const font = fontHead(head)
    return font.kind === 'refused' ? font : { kind: 'font', limit: 'image' }
  }
  if (wanted === 'image' || head.length === 0) {
    const picture = pictureHead(head)
    return picture.kind === 'refused' ? picture : { kind: 'picture', limit: 'image' }
  }
  const needed = NEEDED[wanted]
  const found = sniff(head)
  switch (found.kind) {
    case 'image':
      return wanted === 'media'
        ? { kind: 'picture', limit: 'image' }
        : refused(`This is a still picture, and ${needed} is needed here.`)
    case 'media': {
      const sound = found.mediaType.startsWith('audio/')
      if (sound && wanted === 'video')
        return refused('This is a sound without a picture, and a video is needed here.')
      return { kind: 'media', limit: sound || wanted === 'audio' ? 'audio' : 'video' }
    }
    case 'unknown':
      return { kind: 'unsure', limit: wanted === 'audio' ? 'audio' : 'video' }
    case 'page':
      return refused(`The address leads to a web page, not to ${needed}. Use the address of the file itself.`)
    case 'subtitles':
    case 'text':
      return refused(`This is a text file, not ${needed}.`)
    case 'playlist':
      return refused(`This is a playlist, not ${needed}. Use the address of the file itself.`)
    case 'archive':
      return refused(`This is an archive, not ${needed}.`)
  }
}

const refused = (why: string): JudgedHead => ({ kind: 'refused', why })

/** Whether a GIF has more than one picture: programs that write animations mark them as repeating. */
export function isAnimatedGif(head: Uint8Array): boolean {
  const text = String.fromCharCode(...head.subarray(0, 4096))
  return text.startsWith('GIF8') && text.includes('NETSCAPE2.0')
}
