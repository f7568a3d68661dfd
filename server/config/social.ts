/** The user's own apps on social platforms: how an account is connected by OAuth. Never logged, never part of an error. */

/** Platforms whose accounts are connected through an OAuth app. */
export const APP_PLATFORMS = [
  'youtube',
  'tiktok',
  'instagram',
  'twitter',
  'linkedin',
  'facebook',
  'threads',
  'snapchat',
] as const
export type AppPlatform = (typeof APP_PLATFORMS)[number]

export interface SocialApp {
  readonly clientId: string
  /** Null for apps without one (public clients with PKCE). */
  readonly clientSecret: string | null
}

export interface SocialConfig {
  readonly apps: Readonly<Partial<Record<string, SocialApp>>>
  /** Put in place of a platform's own addresses; only tests do. */
  readonly addresses: Readonly<Partial<Record<string, string>>>
}

/** Names of an app's two settings in the environment and in config.json. */
function appSettingNames(platform: AppPlatform): Record<'id' | 'secret', { env: string; key: string }> {
  const upper = platform.toUpperCase()
  return {
    id: { env: `CUTROOM_${upper}_CLIENT_ID`, key: `${platform}ClientId` },
    secret: { env: `CUTROOM_${upper}_CLIENT_SECRET`, key: `${platform}ClientSecret` },
  }
}

/** `readSecret` gives the value of a setting, or null. */
export function readSocialConfig(readSecret: (env: string, key: string) => string | null): SocialConfig {
  const apps: Partial<Record<string, SocialApp>> = {}
  for (const platform of APP_PLATFORMS) {
    const { id, secret } = appSettingNames(platform)
    const clientId = readSecret(id.env, id.key)
    const clientSecret = readSecret(secret.env, secret.key)
    if (clientId !== null) apps[platform] = { clientId, clientSecret }
  }
  return { apps, addresses: {} }
}
