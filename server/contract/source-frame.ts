/**
 * Stands for a digest in the layers of a thumbnail: the source's own picture at its moment, whole. There is none in a
 * composition that is rendered.
 */
export const SOURCE_FRAME = 'source-frame'
