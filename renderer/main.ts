/**
 * The studio: a Svelte page on the local API. `state/` talks to the server, `pages/` shows it, `ui/` holds small parts.
 * It may import the pure folders (contract, nodes, compositor) and nothing else of the appliance.
 */
import { mount } from 'svelte'
import App from './App.svelte'
import './studio.css'

const target = document.getElementById('studio')
if (target === null) throw new Error('index.html has no #studio')
mount(App, { target })
