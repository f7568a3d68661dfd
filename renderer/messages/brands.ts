/** What the pages of brand kits say. */
import { inLanguage, plural, quoted } from './common.ts'

const en = {
  brands: {
    heading: 'Brand kits',
    about: 'Logo, font, colours, captions, intro and outro of each brand, under one name.',
    library: 'Library',
    create: 'New brand kit',
    name: 'Name',
    nameHint: 'The company, show or person that the clips are of.',
    empty: 'No brand kits yet. Set a brand up once, and workflows and editors apply it by its name.',
    emptyForViewers: 'No brand kits yet. An editor makes them.',
    colours: (name: string) => `Colours of ${name}`,
    used: (n: number) => plural(n, { one: 'Applied by 1 workflow', other: `Applied by ${n} workflows` }),
    unused: 'Not applied by a workflow yet',
    duplicate: 'Duplicate',
    duplicateOf: (name: string) => `Duplicate ${name}`,
    copyOf: (name: string) => `${name} (copy)`,
  },
  kit: {
    all: 'All brand kits',
    gone: 'This brand kit is not there any more.',
    nameNeeded: 'A brand kit needs a name.',
    readOnly: 'Your changes here are not saved.',
    form: 'What the brand sets',
    usedBy: 'Applied by',
    usage:
      'Add “Apply branding” to a workflow and choose this kit there, or select clips and press “Change look”.',
    later: 'Runs from now on use what is saved here. Clips that are made keep what they have.',
    deleteQuestion: (name: string) =>
      `Delete the brand kit ${quoted(name)}? Clips keep what they have of it.`,
    openTheirs: 'Open their version',
  },
}

export const { brands, kit } = inLanguage({ en })
