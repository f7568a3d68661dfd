/** The uploads of this page. */
import { startRun, uploadFile } from './api.ts'
import { createUploads } from './uploads.svelte.ts'

export const uploads = createUploads({ upload: uploadFile, begin: startRun })
