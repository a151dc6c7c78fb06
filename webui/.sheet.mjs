import {chromium} from 'playwright-core';import fs from 'fs';
const [,,out,w,...files]=process.argv;
const b=await chromium.launch({executablePath:'/usr/bin/chromium',args:['--no-sandbox','--disable-gpu']});
const p=await b.newPage({viewport:{width:files.length*(+w+8),height:800}});
const html='<body style="margin:0;display:flex;gap:8px;align-items:start;background:#888">'+files.map(f=>`<img style="width:${w}px" src="data:image/png;base64,${fs.readFileSync(f).toString('base64')}">`).join('')+'</body>';
await p.setContent(html);await p.waitForTimeout(200);await p.screenshot({path:out,fullPage:true});await b.close();
