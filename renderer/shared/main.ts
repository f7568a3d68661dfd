/** The page of a share link, for reviewers without an account: nothing of the studio is loaded. */
import { mount } from 'svelte'
import '../studio.css'
import Shared from './Shared.svelte'

const target = document.getElementById('shared')
if (target === null) throw new Error('shared.html has no #shared')
mount(Shared, { target })
