'use strict';
const frame = document.getElementById('frame'), state = document.getElementById('state');
const events = new EventSource('events');
events.onopen = () => { state.textContent = 'connected'; };
events.onerror = () => { state.textContent = 'reconnecting'; };
events.onmessage = (e) => { frame.src = 'frame?' + JSON.parse(e.data).etag; };
