/** Colours of speakers for both themes; names distinguish them as well. PURE. */
const COLOURS = ['#3b82f6', '#f97316', '#10b981', '#d946ef', '#eab308', '#06b6d4', '#f43f5e', '#8b5cf6']

export const colourOf = (speaker: number): string => COLOURS[speaker % COLOURS.length] ?? '#3b82f6'
