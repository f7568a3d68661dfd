/**
 * Placeholder digest in the layers of a thumbnail for the source's own full frame at the thumbnail's time. Does not
 * occur in rendered compositions.
 */
export const SOURCE_FRAME = 'source-frame'
