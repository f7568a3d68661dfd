/** Every platform's adapter; the compiler checks that none is missing. */
import type { Platform } from '../../contract/post.ts'
import type { SocialAdapter } from './adapter.ts'
import { bluesky } from './bluesky.ts'
import { facebook } from './facebook.ts'
import { instagram } from './instagram.ts'
import { linkedin } from './linkedin.ts'
import { snapchat } from './snapchat.ts'
import { threads } from './threads.ts'
import { tiktok } from './tiktok.ts'
import { twitter } from './twitter.ts'
import { youtube } from './youtube.ts'

export const ADAPTERS: Readonly<Record<Platform, SocialAdapter>> = {
  youtube,
  tiktok,
  instagram,
  twitter,
  linkedin,
  facebook,
  threads,
  snapchat,
  bluesky,
}
