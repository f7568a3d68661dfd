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
    titleOf: (page: string, company: string) => `${page} · ${company} · Cutroom`,
    skip: 'Skip to content',
    pages: 'Pages',
    themeIs: (theme: string) => `Theme: ${theme}`,
    theme: 'Theme',
  },
  companies: {
    label: (name: string) => `Company: ${name}`,
    list: 'Companies',
    choose: 'Choose a company',
    search: 'Search companies',
    none: (query: string) => `No company is called “${query}”.`,
    unknown: (id: string) => `There is no company “${id}” here, or you may not open it. Choose one of yours:`,
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

export const { signIn, frame, companies, notices, session, requests, pages } = inLanguage({ en })
