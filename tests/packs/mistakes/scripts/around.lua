-- Goes from state to state without end, within one call.

return {
  initial = "here",
  states = {
    here = { enter = function() state.go_to("there") end },
    there = { enter = function() state.go_to("here") end },
  },
}
