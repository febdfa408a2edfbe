import PalimpsestCommand

await PalimpsestTool.main()
