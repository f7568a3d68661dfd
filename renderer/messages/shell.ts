/** What the studio's frame says: names of pages, theme, sign-in, notices. */
import { inLanguage } from './common.ts'

const en = {
  signIn: {
    heading: 'Sign in',
    howTo:
      'This studio opens with a one-time link. The appliance prints it when it starts: look for “studio” in the window that runs',
    openIt: ', and open that address here.',
  },
  frame: {
    themes: { system: 'same as this computer', light: 'light', dark: 'dark' },
    product: 'Cutroom',
    title: (page: string) => `${page} · Cutroom`,
    skip: 'Skip to content',
    pages: 'Pages',
    themeIs: (theme: string) => `Theme: ${theme}`,
    theme: 'Theme',
  },
  notices: {
    signInAgain: 'Open a new sign-in link in another tab. Your edits here are not lost.',
  },
  session: {
    signedOut: 'You are signed out.',
  },
  requests: {
    uploadRefused: 'The appliance refused the upload.',
    uploadCancelled: 'Upload cancelled.',
  },
  pages: {
    home: 'Home',
    review: 'Review',
    clips: 'Clips',
    workflows: 'Workflows',
    publish: 'Publish',
    analytics: 'Analytics',
    settings: 'Settings',
  },
}

export const { signIn, frame, notices, session, requests, pages } = inLanguage({ en })
