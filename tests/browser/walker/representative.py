"""Pages as people write them, each with other ways to say what a control is called."""

from __future__ import annotations

from typing import Final

PAGES: Final = {
    "sign-in form": """
        <header><a href="/"><img src="l.png" alt="Acme"></a></header><main><h1>Sign in</h1>
        <form><label for=m>E-mail <abbr title=required>*</abbr></label><input id=m type=email required>
        <label>Password <input type=password value=secret></label>
        <label><input type=checkbox checked> Keep me <b>signed</b> in</label>
        <fieldset><legend>Account</legend><label><input type=radio name=k> Personal</label>
        <input type=radio name=k id=b><label for=b>Business</label></fieldset>
        <button>Sign <span>in</span></button> <input type=submit> <input type=reset value=Clear>
        <a href=/forgot title="Reset it">Forgot?</a></form></main><footer>© Acme</footer>""",
    "every kind of input": """
        <p id=hint>Hint</p><input placeholder=Plain><input title=Titled placeholder=P><input aria-label=Labelled>
        <input aria-labelledby=hint><input type=search placeholder=Search><input type=number value=3 title=Count>
        <input type=range title=Volume value=30><input type=date title=Day><input type=time title=Hour>
        <input type=color title=Shade><input type=file><input type=file multiple aria-label=Photos>
        <input type=image alt=Go src=x><input type=image src=x><input type=button value=Press><input type=checkbox>
        <textarea placeholder=Story></textarea><input list=dl aria-label=City><datalist id=dl><option>Rome</datalist>
        <select title=One><option>a<option selected>b<optgroup label=More><option label=see>c</optgroup></select>
        <select multiple aria-label=Many><option selected>a<option>b</select><progress value=.4 title=Done></progress>
        <meter value=.6 title=Load></meter><output title=Sum>4</output><button disabled>Off</button>
        <fieldset disabled><input title=Inside></fieldset><div contenteditable role=textbox aria-label=Note>x</div>""",
    "shop list": """
        <main><ul><li><a href=/1><img src=1.png alt="Red shoe"><h3>Red shoe</h3></a><p>Price: <s>20 €</s> <strong>15 €</strong></p>
        <button aria-label="Add Red shoe to cart"><svg width=9 height=9><path d="M0 0h9"/></svg></button></li>
        <li><a href=/2><img src=2.png alt=""><h3>Blue <em>shoe</em></h3></a><button title="Add to cart"><i class=icon></i></button>
        <span tabindex=0 role=img aria-label="4 of 5 stars">★★★★</span></li></ul>
        <nav aria-label=Pages><a href=?p=1 aria-current=page>1</a><a href=?p=2>2</a><a href=?p=2 aria-label=Next>›</a></nav></main>""",
    "data table": """
        <table><caption>Staff <small>2026</small></caption><thead><tr><th scope=col>Name<th scope=col>Role<th><input type=checkbox aria-label=All></thead>
        <tr><th scope=row>Ann<td>Chief <a href=/a>profile</a><td><input type=checkbox aria-label="Pick Ann">
        <tr><th scope=row>Bob<td><select aria-label=Role><option>Chief<option selected>Cook</select><td><button>×</button></table>
        <table role=grid aria-label=Sheet><tr><th>A<th>B<tr><td tabindex=0>1<td><input value=2 title=Cell></table>
        <table><tr><td>lay<td>out</table><table role=presentation><tr><td><button>In</button></table>""",
    "menus, tabs and trees": """
        <ul role=menubar><li role=none><a role=menuitem href=# aria-haspopup=true aria-expanded=true>File</a>
        <ul role=menu aria-label=File><li role=menuitem tabindex=-1>New</li><li role=menuitemcheckbox aria-checked=true>Wrap</li>
        <li role=separator></li><li role=menuitemradio aria-checked=mixed>Big</li></ul></ul>
        <div role=tablist aria-label=Views><button role=tab aria-selected=true aria-controls=p>List</button><button role=tab>Map</button></div>
        <div role=tabpanel id=p aria-label=List>Body</div>
        <ul role=tree aria-label=Files><li role=treeitem aria-expanded=true>src<ul role=group><li role=treeitem>a.py</ul></ul>
        <div role=listbox aria-label=Sizes tabindex=0><div role=option aria-selected=true>S</div><div role=option>M</div></div>
        <div role=radiogroup aria-label=Colour><div role=radio aria-checked=true tabindex=0>Red</div><div role=radio>Blue</div></div>
        <div role=toolbar aria-label=Format><button aria-pressed=true>B</button><button aria-pressed=false>I</button></div>
        <div role=slider tabindex=0 aria-label=Zoom aria-valuenow=5></div><div role=switch tabindex=0 aria-checked=false>Dark</div>
        <div role=combobox tabindex=0 aria-expanded=false aria-label=Country>Italy</div><div role=spinbutton tabindex=0 aria-label=Seats></div>""",
    "dialogs and disclosure": """
        <details><summary>More <b>info</b></summary><button>Hidden away</button></details><details open><summary>Less</summary><a href=x>Seen</a></details>
        <dialog open aria-labelledby=t><h2 id=t>Cookies</h2><button autofocus>Accept</button></dialog><dialog><button>Closed</button></dialog>
        <button popovertarget=pop>Show</button><div popover id=pop><button>Inside</button></div>
        <div role=alertdialog aria-label=Danger><button>Undo</button></div><div role=alert>Saved</div><div role=status>3 results</div>
        <div inert><button>Inert</button></div><div aria-hidden=true><button>Hidden</button></div><button hidden>Gone</button>
        <div style="visibility:hidden">No<button style="visibility:visible">Yes</button></div>""",
    "names from content": """
        <style>.s::before{content:"★ "} .e::after{content:" ↗" / "opens elsewhere"}</style>
        <a href=1 class=s>Starred</a><a href=2 class=e>Away</a><a href=3><span>Two</span><span>parts</span></a>
        <a href=4><div>Block</div><div>Other</div></a><a href=5>Row<br>break</a><a href=6><img src=x alt=Pic>tail</a>
        <a href=7><svg width=9 height=9 role=img aria-label=Cup></svg> Tea</a><a href=8><svg width=9 height=9><title>Bin</title></svg></a>
        <button>Set to <input value=5 aria-label=n> now</button><button aria-labelledby="a b">x</button><i id=a>First</i> <i id=b hidden>second</i>
        <h2>Head <a href=9>link</a></h2><button style="text-transform:uppercase">loud</button><button><span aria-hidden=true>×</span> Close</button>
        <button><span style="position:absolute;clip:rect(0,0,0,0)">Only spoken</span></button><button>a<b style="display:inline-block">b</b>c</button>
        <button style="display:flex"><span>f</span><span>g</span></button><a href=10 title=Tip></a><a href=11> many
           spaces </a><label for=z>Outer <i>label</i></label><button id=z>own</button>""",
    "landmarks and text": """
        <header>Top</header><nav>Nav</nav><main><article><header>H</header><h1>Title</h1><aside>Side</aside><footer>F</footer></article>
        <section>Plain</section><section aria-label=Named>Region</section><form aria-label=Find><input title=q></form><search>S</search></main>
        <aside>Aside</aside><footer>Bottom</footer><p>Text with <code>code</code>, <em>em</em>, <a href=x>a link</a> and <mark>mark</mark>.</p>
        <blockquote>Quote</blockquote><figure><img src=x alt=Fig><figcaption>Caption</figcaption></figure><hr><dl><dt>T<dd>D</dl>
        <ol><li>One<li>Two <ul><li>Nested</ul></ol><h4>Four</h4><div role=heading aria-level=5>Five</div><iframe title=Ad></iframe>""",
    "shadow roots": """
        <my-button><template shadowrootmode=open><button><slot>Fallback</slot></button></template>Slotted <b>text</b></my-button>
        <my-button><template shadowrootmode=open><button><slot>Fallback</slot></button></template></my-button>
        <my-field><template shadowrootmode=open><label for=i><slot name=label></slot></label><input id=i><slot></slot></template>
        <span slot=label>Street</span><a href=x>Help</a><i slot=nowhere><button>Lost</button></i></my-field>
        <div><template shadowrootmode=open><my-x><template shadowrootmode=open><h3>Deep <slot></slot></h3></template><slot></slot></my-x></template><a href=y>twice</a></div>""",
    "roles that conflict": """
        <ul role=none><li>a<li tabindex=0>b</ul><button role=none>Still a button</button><h2 role=presentation aria-live=polite>Still a heading</h2>
        <a href=x role=button>Acts</a><div role="bogus link" tabindex=0>Falls</div><table role=none><tr><td><a href=x>t</a></table>
        <img src=x alt="" tabindex=0><nav role=toolbar><button>q</button></nav><li>Orphan</li><span role=textbox tabindex=0>typed</span>
        <div role=region>Nameless</div><div role=row><div role=gridcell>c</div></div><input type=checkbox role=switch aria-label=Sw>
        <a>no address</a><a tabindex=0>reached</a><div tabindex=0>focus</div><button type=button role=tab>T</button>""",
    "drawings": """
        <svg width=9 height=9><path d="M0 0h9"/></svg><button><svg width=9 height=9><use href="#trash"/></svg></button>
        <svg width=9 height=9><title>Chart</title><rect width=9 height=9 /></svg>
        <svg width=99 height=99><a href=x><text y=9>Linked</text></a><g role=button tabindex=0 aria-label=Zone><rect width=9 height=9 /></g></svg>
        <canvas aria-label=Game></canvas><a href=z><svg width=9 height=9 aria-hidden=true><title>No</title></svg>Icon</a>""",
    "owned and clickable": """
        <div role=listbox aria-label=L aria-owns="o2 o1" tabindex=0></div><div id=o1 role=option>One</div><div id=o2 role=option>Two</div>
        <p>Take <span style="cursor:pointer">this</span> or <span style="cursor:pointer">that</span>.</p>
        <div style="cursor:pointer"><h3>Card</h3><p>Body</p><button>Buy</button></div><div onclick="1">Handler</div>
        <div draggable=true>Drag</div><div contenteditable>Write</div><label style="cursor:pointer"><input type=checkbox> Box</label>""",
}
