/** The pages at /docs/api and /docs/domain-api: both APIs as their OpenAPI documents describe them. Nobody signs in. */
import { mount } from 'svelte'
import '../studio.css'
import ApiDocs from './ApiDocs.svelte'

const target = document.getElementById('api-docs')
if (target === null) throw new Error('api-docs.html has no #api-docs')
mount(ApiDocs, { target })
