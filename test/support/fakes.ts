/** A local server's manners for each platform. */
import type { Platform } from '../../server/contract/post.ts'
import { container, facebook } from './fake-meta.ts'
import { bluesky, linkedin, snapchat } from './fake-others.ts'
import type { Fake } from './fake-platforms.ts'
import { tiktok, twitter, youtube } from './fake-video-platforms.ts'

export const FAKES: Readonly<Record<Platform, Fake>> = {
  youtube,
  tiktok,
  facebook,
  twitter,
  linkedin,
  snapchat,
  bluesky,
  instagram: container(true),
  threads: container(false),
}
