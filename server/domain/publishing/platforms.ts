/** What the studio knows of each platform before a post is written. */
import { PLATFORMS, type Platform } from '../../contract/post.ts'
import type { PlatformFacts } from '../../contract/studio.ts'
import { ADAPTERS } from '../../adapters/social/registry.ts'
import type { Services } from '../services.ts'

/** A line for the terminal; ids with anything but plain characters are quoted. */
function commandFor(platform: Platform, companyId: string): string {
  const company = /^[\w.-]+$/.test(companyId) ? companyId : `'${companyId.replaceAll("'", "'\\''")}'`
  const rest = ADAPTERS[platform].way.kind === 'password' ? ' --handle HANDLE --secret -' : ''
  return `cutroom social connect ${platform} --company ${company}${rest}`
}

/** Limits as the platforms publish them, and how an account of `companyId` is connected. */
export function describePlatforms(
  { config }: Pick<Services, 'config'>,
  companyId: string,
): { platforms: PlatformFacts[] } {
  return {
    platforms: PLATFORMS.map((platform) => {
      const { label, limits, way, remove } = ADAPTERS[platform]
      const byPassword = way.kind === 'password'
      return {
        platform,
        label,
        text: limits.text,
        title: limits.title,
        firstComment: limits.firstComment,
        visibilities: [...limits.visibilities],
        videoRequired: limits.videoRequired,
        seconds: limits.video.seconds,
        removable: remove !== null,
        connect: {
          way: byPassword ? 'password' : 'browser',
          appConfigured: byPassword || config.social.apps[platform] !== undefined,
          command: commandFor(platform, companyId),
        },
      }
    }),
  }
}
