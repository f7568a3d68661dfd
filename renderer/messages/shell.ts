/** What the studio's frame says: names of pages, theme, sign-in, notices. */
import { inLanguage } from './common.ts'

const en = {
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
    signInAgain: 'Sign in again in another tab; your edits here are not lost.',
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
    library: 'Library',
    brands: 'Brand kits',
    workflows: 'Workflows',
    publish: 'Publish',
    analytics: 'Analytics',
    setUp: 'Set-up',
    settings: 'Settings',
  },
}

export const { frame, companies, notices, session, requests, pages } = inLanguage({ en })
